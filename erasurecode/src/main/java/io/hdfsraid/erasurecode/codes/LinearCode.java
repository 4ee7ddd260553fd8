// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The definition of a systematic linear code. Everywhere in this package a chunk of a row is
 * numbered {@code unit * α + subUnit}.
 */
final class LinearCode {
  private final String name;
  private final String source;
  private final StripeShape shape;
  private final RowLayout layout;
  private final List<EncodingStep> steps;
  private final List<LocalCheck> checks;
  private final boolean mds;
  private final Generator generator;

  /**
   * @param source the publication the code is from
   * @param layout of what this version writes
   * @param steps how parity is computed, one after the other
   * @param checks sets of chunks within which losses are rebuilt cheaply; empty when there are
   *     none. If the code is not MDS, the smallest of them is the lightest parity check of the
   *     whole code: no unit can be rebuilt from fewer
   * @param mds whether any m units may be lost: a promise of who defines the code, which spares
   *     counting patterns
   * @throws IllegalArgumentException when the steps do not compute every parity chunk once
   */
  LinearCode(
      String name,
      String source,
      StripeShape shape,
      RowLayout layout,
      List<EncodingStep> steps,
      List<LocalCheck> checks,
      boolean mds) {
    this.name = name;
    this.source = source;
    this.shape = shape;
    this.layout = layout;
    this.steps = List.copyOf(steps);
    this.checks = List.copyOf(checks);
    this.mds = mds;
    this.generator = Generator.of(this);
  }

  /** A code that is not sub-packetised, with parity computed at once as {@code parity} · data. */
  static LinearCode of(
      String name,
      String source,
      StripeShape shape,
      CodingMatrix parity,
      List<LocalCheck> checks,
      boolean mds) {
    return new LinearCode(
        name,
        source,
        shape,
        new RowLayout(1, RowLayout.DEFAULT_CHUNK),
        List.of(EncodingStep.atOnce(parity)),
        checks,
        mds);
  }

  String name() {
    return name;
  }

  String source() {
    return source;
  }

  StripeShape shape() {
    return shape;
  }

  RowLayout layout() {
    return layout;
  }

  int subUnits() {
    return layout.subUnits();
  }

  List<EncodingStep> steps() {
    return steps;
  }

  List<LocalCheck> checks() {
    return checks;
  }

  boolean mds() {
    return mds;
  }

  Generator generator() {
    return generator;
  }

  int chunks() {
    return shape.units() * subUnits();
  }

  int dataChunks() {
    return shape.dataUnits() * subUnits();
  }

  /**
   * Some parity chunks as sums of data chunks and of parity chunks of earlier steps. A code whose
   * parity chunks build upon each other is encoded with fewer operations than by its matrix.
   *
   * @param outputs parity chunks, one for each row of {@code weights}
   * @param inputs chunks, one for each column
   */
  record EncodingStep(List<Integer> outputs, List<Integer> inputs, CodingMatrix weights) {
    EncodingStep {
      outputs = List.copyOf(outputs);
      inputs = List.copyOf(inputs);
      if (outputs.size() != weights.rows() || inputs.size() != weights.columns()) {
        throw new IllegalArgumentException(
            "%d outputs and %d inputs need as many rows and columns, but there are %d and %d"
                .formatted(outputs.size(), inputs.size(), weights.rows(), weights.columns()));
      }
    }

    /** All parity chunks from all data chunks. */
    static EncodingStep atOnce(CodingMatrix parity) {
      return new EncodingStep(
          IntStream.range(parity.columns(), parity.columns() + parity.rows()).boxed().toList(),
          IntStream.range(0, parity.columns()).boxed().toList(),
          parity);
    }
  }

  /**
   * Chunks which hold a small code of their own: any {@code redundancy} of them can be rebuilt from
   * the others. A local group of an LRC has redundancy 1.
   */
  record LocalCheck(List<Integer> chunks, int redundancy) {
    LocalCheck {
      chunks = List.copyOf(chunks);
      if (redundancy < 1 || redundancy >= chunks.size()) {
        throw new IllegalArgumentException(
            "%d of %d chunks cannot be redundant".formatted(redundancy, chunks.size()));
      }
    }
  }
}
