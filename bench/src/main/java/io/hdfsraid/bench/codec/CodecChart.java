// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.bench.measure.TaskSpeed;
import io.hdfsraid.bench.report.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The comparison that HDFS-RAID began with: codes for (10,4) as ratios to the oldest one.
 *
 * @param cell of which size
 * @param problems for each kernel that was asked for, why it is absent, if it is
 * @param outcomes of what is compared, among others
 */
record CodecChart(
    Cell cell, Map<String, Optional<String>> problems, Map<String, TaskSpeed> outcomes) {

  /** How codes are called in the chart, and what they are here. */
  private enum Line {
    VRS("VRS", "rs-vandermonde-10-4", "portable"),
    CRS1("CRS1", "crs-original-10-4", "portable"),
    CRS2("CRS2", "crs-good-10-4", "portable"),
    RS_CAUCHY("RS-Cauchy", "rs-10-4", "portable"),
    ISA_L("ISA-L", "rs-10-4", "isa-l");

    private final String label;
    private final String codec;
    private final String kernel;

    Line(String label, String codec, String kernel) {
      this.label = label;
      this.codec = codec;
      this.kernel = kernel;
    }

    String measured(CodecOperation operation, Cell cell) {
      return CodecBench.name(codec, operation, cell, kernel);
    }
  }

  /** Decoding is that of as many losses as there are parity units. */
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    addTo(rows, "encode", CodecOperation.ENCODE);
    addTo(rows, "decode", CodecOperation.DECODE_MOST);
    return rows;
  }

  private void addTo(List<Row> rows, String word, CodecOperation operation) {
    TaskSpeed base = outcomes.get(Line.VRS.measured(operation, cell));
    if (base == null) {
      return;
    }
    for (Line line : Line.values()) {
      String name = "chart %s %s".formatted(line.label, word);
      String measured = line.measured(operation, cell);
      TaskSpeed outcome = outcomes.get(measured);
      if (outcome != null) {
        rows.add(
            Row.beside(name, CodecBench.INPUT, outcome.rate(), Line.VRS.label, base.rate())
                .withNote(measured));
      } else {
        // The kernel is neither measured nor absent: it was not asked for.
        problems
            .getOrDefault(line.kernel, Optional.empty())
            .ifPresent(problem -> rows.add(Row.absent(name, CodecBench.INPUT, problem)));
      }
    }
  }
}
