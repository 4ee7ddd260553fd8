package io.hdfsraid.offline.rescue;

import io.hdfsraid.blockfixer.scrub.Reading;
import io.hdfsraid.blockfixer.scrub.Scrubber;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.ReplicaPreference;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitSinks;
import io.hdfsraid.drfs.stripe.UnrecoverableStripeException;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Rebuilds a block that HDFS reads without complaint, but that holds other bytes than were
 * recorded. Whatever made it so may have befallen others of its stripe: all are read to their end
 * first, and those that are not as recorded are no helpers. Used once.
 */
final class Reconstruction {
  private final DataNodes dataNodes;
  private final Executor executor;
  private long written;

  /**
   * @param executor runs the reads of helpers, and is not what calls this
   */
  Reconstruction(DataNodes dataNodes, Executor executor) {
    this.dataNodes = dataNodes;
    this.executor = executor;
  }

  /**
   * Writes the block to a stream.
   *
   * @return whether what was written has the recorded checksum
   * @throws UnrecoverableStripeException when what is left does not determine it
   * @throws IOException when a helper cannot be read; part of the block may be written
   */
  boolean write(LocatedStripe located, Block block, OutputStream out) throws IOException {
    int unit = unitOf(located, block);
    Reading reading = new Scrubber(dataNodes).read(located);
    UnitSet lost = reading.health().lost().with(unit);
    LocatedStripe stripe = located.withLost(lost);
    UnitSet available = stripe.available();
    RebuildRecipe recipe =
        stripe
            .codec()
            .recipe(UnitSet.of(unit), available, stripe.cost(ReadCost.UNIFORM))
            .orElseThrow(() -> new UnrecoverableStripeException(stripe, unit, available));
    WritableByteChannel channel = Channels.newChannel(out);
    UnitSinks sinks =
        () ->
            Map.of(
                unit,
                bytes -> {
                  written += bytes.remaining();
                  while (bytes.hasRemaining()) {
                    channel.write(bytes);
                  }
                });
    return new StripeRebuilder(dataNodes, executor, onlySound(reading), RowMemory.UNLIMITED)
        .rebuild(stripe, recipe, sinks, read -> {})
        .contradicted(stripe)
        .isEmpty();
  }

  /** Bytes of the block so far. */
  long written() {
    return written;
  }

  private static int unitOf(LocatedStripe stripe, Block block) throws IOException {
    return stripe.units().stream()
        .filter(unit -> holds(unit, block))
        .mapToInt(StripeUnit::unit)
        .findFirst()
        .orElseThrow(() -> new IOException(block + " is no unit of " + stripe));
  }

  /** Whether the block is this unit of its stripe, and not what came in its place. */
  static boolean holds(StripeUnit unit, Block block) {
    return unit.standing() != StripeUnit.Standing.CHANGED
        && unit.located().map(LocatedBlock::block).filter(block::equals).isPresent();
  }

  private static ReplicaPreference onlySound(Reading reading) {
    Map<Block, List<Replica>> sound = new HashMap<>();
    for (StripeUnit unit : reading.stripe().units()) {
      Optional<Block> block = unit.located().map(LocatedBlock::block);
      block.ifPresent(b -> sound.put(b, reading.sound().getOrDefault(unit.unit(), List.of())));
    }
    return located -> sound.getOrDefault(located.block(), List.of());
  }
}
