package io.hdfsraid.erasurecode;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What an administrator compares codecs by.
 *
 * @param overhead bytes stored per byte of data
 * @param units k + m: as many nodes are needed to put every unit on one of its own
 * @param lossesBorne how many losses are borne wherever they fall
 * @param readsByUnit for each unit, how many blocks are read to rebuild it when nothing else is
 *     lost
 * @param source the publication the code is from
 */
public record CodecFacts(
    String name,
    double overhead,
    int units,
    int lossesBorne,
    List<Double> readsByUnit,
    String source) {

  public CodecFacts {
    readsByUnit = List.copyOf(readsByUnit);
  }

  public static CodecFacts of(ErasureCodec codec) {
    UnitSet all = UnitSet.all(codec.shape());
    return new CodecFacts(
        codec.name(),
        codec.shape().overhead(),
        codec.shape().units(),
        codec.furtherLosses(UnitSet.none()),
        IntStream.range(0, codec.shape().units())
            .mapToObj(
                unit ->
                    codec
                        .recipe(UnitSet.of(unit), all.without(unit), ReadCost.UNIFORM)
                        .orElseThrow()
                        .reads()
                        .size())
            .map(chunks -> (double) chunks / codec.subUnits())
            .toList(),
        codec.source());
  }

  /** Blocks read to rebuild one lost unit, in the mean over all units. */
  public double averageReads() {
    return readsByUnit.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }
}
