// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The facts by which an administrator compares codecs.
 *
 * @param layout of the rows to write
 * @param lossesBorne how many units may be lost, whichever they are
 * @param repairs for each unit, the cost of rebuilding it when nothing else is lost
 * @param source the publication the code is from
 */
public record CodecFacts(
    String name,
    StripeShape shape,
    RowLayout layout,
    int lossesBorne,
    List<UnitRepair> repairs,
    String source) {

  public CodecFacts {
    repairs = List.copyOf(repairs);
  }

  /** Computed from the code itself, not looked up. */
  public static CodecFacts of(ErasureCodec codec) {
    UnitSet all = UnitSet.all(codec.shape());
    return new CodecFacts(
        codec.name(),
        codec.shape(),
        codec.layout(),
        codec.furtherLosses(UnitSet.none()),
        IntStream.range(0, codec.shape().units())
            .mapToObj(
                unit ->
                    UnitRepair.by(
                        codec
                            .recipe(UnitSet.of(unit), all.without(unit), ReadCost.UNIFORM)
                            .orElseThrow(),
                        codec.subUnits()))
            .toList(),
        codec.source());
  }

  /** Bytes stored per byte of data. */
  public double overhead() {
    return shape.overhead();
  }

  /** k + m: as many nodes are needed to put every unit on one of its own. */
  public int units() {
    return shape.units();
  }

  /** The smallest number of units in which two stripes of different data can differ. */
  public int distance() {
    return lossesBorne + 1;
  }

  /**
   * How many racks are needed so that any one may be lost, when units are spread evenly over them:
   * none may hold more units than are borne wherever they fall. (Some sets of more units are borne,
   * too, by an LRC; but a placement that counts units does not choose such sets.)
   */
  public int racks() {
    return (units() + lossesBorne - 1) / lossesBorne;
  }

  /** Blocks read to rebuild each unit when nothing else is lost. */
  public List<Double> readsByUnit() {
    return repairs.stream().map(UnitRepair::blocksRead).toList();
  }

  /** Blocks read to rebuild one lost unit, in the mean over all units. */
  public double averageReads() {
    return readsByUnit().stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /** Bytes of memory for a stripe in work: a row of every unit, (k + m)·α·c. */
  public long rowMemory() {
    return (long) units() * layout.rowBytes();
  }

  /**
   * The cost of rebuilding one unit.
   *
   * @param blocksRead in all
   * @param whole units that are read whole
   * @param parts units of which only some of the α chunks of each row are read
   */
  public record UnitRepair(double blocksRead, UnitSet whole, UnitSet parts) {
    private static UnitRepair by(RebuildRecipe recipe, int subUnits) {
      UnitSet whole =
          UnitSet.of(
              recipe.helpers().stream()
                  .filter(
                      unit ->
                          recipe.reads().stream().filter(chunk -> chunk.unit() == unit).count()
                              == subUnits));
      return new UnitRepair(
          (double) recipe.reads().size() / subUnits, whole, recipe.helpers().minus(whole));
    }

    /** How many units are read from. */
    public int helpers() {
      return whole.size() + parts.size();
    }
  }
}
