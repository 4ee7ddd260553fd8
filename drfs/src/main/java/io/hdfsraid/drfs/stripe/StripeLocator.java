// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.StripeShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Compares a manifest with the files that HDFS shows now. The result depends on the arguments
 * alone. In doubt a unit is {@link UnitState#CHANGED}, never {@link UnitState#LIVE}.
 */
public final class StripeLocator {
  private final Function<String, ErasureCodec> codecs;

  /**
   * @param codecs finds a codec by the name in the manifest, e.g. {@code Codecs::parse}
   */
  public StripeLocator(Function<String, ErasureCodec> codecs) {
    this.codecs = codecs;
  }

  /**
   * Returns the stripes of a parity file, in order.
   *
   * @param members the members of the manifest as they are now, by inode id; a member that is not
   *     in the map is gone
   * @throws IllegalArgumentException if there is no such codec, or if the stripes of the manifest
   *     do not have its shape
   */
  public List<LocatedStripe> locate(ParityFile parity, Map<Long, LocatedFile> members) {
    return locate(parity, members, Map.of());
  }

  /**
   * Locates as {@link #locate(ParityFile, Map)} does, with blocks that their members do not contain
   * any more.
   *
   * @param elsewhere recorded blocks that a snapshot or another file still holds unchanged
   */
  public List<LocatedStripe> locate(
      ParityFile parity, Map<Long, LocatedFile> members, Map<Block, LocatedBlock> elsewhere) {
    Manifest manifest = parity.manifest();
    ErasureCodec codec = codecs.apply(manifest.codec());
    Map<Long, Map<Block, LocatedBlock>> trusted = new HashMap<>();
    members.forEach((inode, file) -> trusted.put(inode, byBlock(file.completeBlocks())));
    List<LocatedBlock> parityBlocks = parity.file().completeBlocks();

    List<LocatedStripe> stripes = new ArrayList<>();
    for (int index = 0; index < manifest.stripes().size(); index++) {
      Stripe stripe = manifest.stripes().get(index);
      checkShape(parity, codec, index);
      long stripeLength = codec.parityLength(stripe.longest());
      List<StripeUnit> units = new ArrayList<>();
      for (DataUnit data : stripe.data()) {
        long inode = manifest.members().get(data.member()).inode();
        LocatedBlock own = trusted.getOrDefault(inode, Map.of()).get(data.block());
        LocatedBlock located = own == null ? elsewhere.get(data.block()) : own;
        units.add(dataUnit(units.size(), data, Optional.ofNullable(located)));
      }
      while (units.size() < codec.shape().dataUnits()) {
        units.add(new StripeUnit(units.size(), 0, 0, Optional.empty(), UnitState.ABSENT));
      }
      int firstBlock = Math.multiplyExact(index, codec.shape().parityUnits());
      for (int p = 0; p < codec.shape().parityUnits(); p++) {
        Optional<LocatedBlock> block =
            firstBlock + p < parityBlocks.size()
                ? Optional.of(parityBlocks.get(firstBlock + p))
                : Optional.empty();
        units.add(parityUnit(units.size(), stripeLength, stripe.parityCrcs().get(p), block));
      }
      stripes.add(
          new LocatedStripe(
              parity.file().inode(), index, codec, manifest.layout(), stripeLength, units));
    }
    return List.copyOf(stripes);
  }

  private static Map<Block, LocatedBlock> byBlock(List<LocatedBlock> blocks) {
    Map<Block, LocatedBlock> byBlock = new HashMap<>();
    blocks.forEach(block -> byBlock.put(block.block(), block));
    return byBlock;
  }

  private static StripeUnit dataUnit(int unit, DataUnit data, Optional<LocatedBlock> located) {
    return new StripeUnit(
        unit,
        data.block().length(),
        data.crc(),
        Optional.of(located.orElseGet(() -> new LocatedBlock(data.block(), List.of(), List.of()))),
        located.map(StripeLocator::state).orElse(UnitState.CHANGED));
  }

  private static StripeUnit parityUnit(
      int unit, long length, int crc, Optional<LocatedBlock> located) {
    UnitState state =
        located
            .filter(block -> block.block().length() == length)
            .map(StripeLocator::state)
            .orElse(UnitState.CHANGED);
    return new StripeUnit(unit, length, crc, located, state);
  }

  private static UnitState state(LocatedBlock block) {
    return block.isLost() ? UnitState.LOST : UnitState.LIVE;
  }

  private static void checkShape(ParityFile parity, ErasureCodec codec, int index) {
    Manifest manifest = parity.manifest();
    Stripe stripe = manifest.stripes().get(index);
    StripeShape shape = codec.shape();
    if (stripe.data().size() > shape.dataUnits()
        || stripe.parityCrcs().size() != shape.parityUnits()
        || manifest.layout().subUnits() != codec.subUnits()) {
      throw new IllegalArgumentException(
          "The manifest of parity inode %d does not fit its codec %s: stripe %d has %d data and %d parity units of %d sub-units, the codec %d, %d and %d"
              .formatted(
                  parity.file().inode(),
                  codec.name(),
                  index,
                  stripe.data().size(),
                  stripe.parityCrcs().size(),
                  manifest.layout().subUnits(),
                  shape.dataUnits(),
                  shape.parityUnits(),
                  codec.subUnits()));
    }
  }
}
