// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.blockfixer.scrub.ScrubResult;
import io.hdfsraid.blockfixer.scrub.Scrubber;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.HelperLostException;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitSinks;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Rebuilds a block that HDFS can read but that does not hold the recorded bytes. The same fault may
 * have hit other blocks of its stripe. Therefore all of them are read to their end first, and those
 * that do not match their checksums are not used as helpers. An object is used once.
 */
final class Reconstruction {
  private final DataNodes dataNodes;
  private final Executor executor;
  private final ScrubResult reading;
  private final int unit;
  private UnitSet lost;
  private long written;

  /**
   * Reads the whole stripe.
   *
   * @param executor runs the reads of helpers, and is not what calls this
   */
  Reconstruction(LocatedStripe stripe, Block block, DataNodes dataNodes, Executor executor)
      throws IOException {
    this.dataNodes = dataNodes;
    this.executor = executor;
    this.unit = unitOf(stripe, block);
    this.reading = new Scrubber(dataNodes).read(stripe);
    this.lost = reading.health().lost().with(unit);
  }

  /** Returns whether the units that match their checksums determine the block. */
  boolean isPossible() {
    return recipe(stripe()).isPresent();
  }

  /**
   * Writes the block to a stream.
   *
   * @return why that is not, or not all of it, what was recorded; empty when it is
   */
  Optional<String> write(OutputStream out) throws IOException {
    WritableByteChannel channel = Channels.newChannel(out);
    while (true) {
      LocatedStripe stripe = stripe();
      Optional<RebuildRecipe> recipe = recipe(stripe);
      if (recipe.isEmpty()) {
        return Optional.of(
            "it holds other bytes than recorded, and units %s were lost while it was rebuilt; the copy has zeros from there on"
                .formatted(lost));
      }
      try {
        boolean right =
            new StripeRebuilder(dataNodes, executor, this::sound, RowMemory.UNLIMITED)
                .rebuild(stripe, recipe.get(), sinks(channel, written), read -> {})
                .contradicted(stripe)
                .isEmpty();
        return right
            ? Optional.empty()
            : Optional.of(
                "it holds other bytes than recorded, and so does what was rebuilt; the copy holds"
                    + " that");
      } catch (HelperLostException e) {
        lost = lost.plus(e.units());
      }
    }
  }

  /**
   * Skips the bytes that an earlier attempt has written: that attempt rebuilt them from good units.
   */
  private UnitSinks sinks(WritableByteChannel channel, long there) {
    long[] position = {0};
    return () ->
        Map.of(
            unit,
            bytes -> {
              int skip = (int) Math.min(bytes.remaining(), Math.max(0, there - position[0]));
              position[0] += bytes.remaining();
              ByteBuffer rest = bytes.duplicate().position(bytes.position() + skip);
              written += rest.remaining();
              while (rest.hasRemaining()) {
                channel.write(rest);
              }
            });
  }

  private LocatedStripe stripe() {
    return reading.stripe().withLost(lost);
  }

  private Optional<RebuildRecipe> recipe(LocatedStripe stripe) {
    return stripe
        .codec()
        .recipe(UnitSet.of(unit), stripe.available(), stripe.cost(ReadCost.UNIFORM));
  }

  /** Bytes of the block so far. */
  long written() {
    return written;
  }

  private static int unitOf(LocatedStripe stripe, Block block) throws IOException {
    return stripe.units().stream()
        .filter(each -> holds(each, block))
        .mapToInt(StripeUnit::unit)
        .findFirst()
        .orElseThrow(() -> new IOException(block + " is no unit of " + stripe));
  }

  /** Returns whether the block is still this unit of its stripe, and was not replaced. */
  static boolean holds(StripeUnit unit, Block block) {
    return unit.state() != UnitState.CHANGED
        && unit.located().map(LocatedBlock::block).filter(block::equals).isPresent();
  }

  private List<Replica> sound(LocatedBlock located) {
    return reading.stripe().units().stream()
        .filter(each -> holds(each, located.block()))
        .flatMap(each -> reading.sound().getOrDefault(each.unit(), List.of()).stream())
        .toList();
  }
}
