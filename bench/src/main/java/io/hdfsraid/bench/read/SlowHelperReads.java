// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.embedded.SlowReplicas;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * Small reads of a lost block from an open stream, when a DataNode becomes slow that holds another
 * block of the stripe: each read from that block waits.
 */
final class SlowHelperReads implements Trial {
  static final Duration DELAY = Duration.ofMillis(300);

  /** So many reads tell the client how fast DataNodes are. */
  private static final int READS_BEFORE = 20;

  /** A rival that never reads around the helper needs so long for each. */
  private static final int MOST_SLOW_READS = 5;

  private static final int MOST_ATTEMPTS = 10;

  private final BlockLosses blocks;
  private final List<Rival> rivals;
  private final int reads;
  private final Random random;

  /**
   * @param blocks knows the blocks of files
   * @param reads of each rival in a round; fewer if five of them all wait for the slow helper
   */
  SlowHelperReads(BlockLosses blocks, List<Rival> rivals, int reads, Random random) {
    this.blocks = blocks;
    this.rivals = List.copyOf(rivals);
    this.reads = reads;
    this.random = random;
  }

  @Override
  public void round(int turn, ReadResults results) throws IOException {
    Times times = new Times();
    for (Rival rival : Rival.turn(rivals, turn)) {
      for (int attempt = 1; !measured(rival, times, results); attempt++) {
        if (attempt == MOST_ATTEMPTS) {
          throw new IOException("No helper of %s could be made slow".formatted(rival.name()));
        }
      }
    }
    times.forEach(
        (rival, millis) -> {
          results.add(rival, Measure.SLOW_P50, millis.median());
          results.add(rival, Measure.SLOW_P99, millis.quantile(0.99));
        });
  }

  /**
   * Measures one rival.
   *
   * @return whether a helper was found and read first: a client that has just found DataNodes slow,
   *     because the machine is busy, may read from others
   */
  private boolean measured(Rival rival, Times times, ReadResults results) throws IOException {
    try (OpenFile file = OpenFile.degraded(rival, random)) {
      OptionalLong helper = helper(rival, file);
      return helper.isPresent() && measured(rival, file, helper.getAsLong(), times, results);
    }
  }

  private boolean measured(
      Rival rival, OpenFile file, long helper, Times times, ReadResults results)
      throws IOException {
    try (SlowReplicas slow = new SlowReplicas(helper, DELAY)) {
      double first = Times.millis(() -> file.readFirstLost());
      if (slow.delayed() == 0) {
        return false;
      }
      results.add(rival, Measure.SLOW_FIRST, first);
      for (int read = 0; read < reads; read++) {
        if (read >= MOST_SLOW_READS && slow.delayed() > read) {
          break;
        }
        times.time(rival, () -> file.readFirstLost());
      }
      return true;
    }
  }

  /** Returns a data block, in the stripe of the lost one, from which the client reads. */
  private OptionalLong helper(Rival rival, OpenFile file) throws IOException {
    ReadFile read = rival.lost().get(0);
    List<LocatedBlock> all = blocks.blocks(read.path());
    if (all.get(0) instanceof LocatedStripedBlock group) {
      return OptionalLong.of(BlockLosses.internalBlock(group, BlockLosses.LOST + 1));
    }
    for (int i = 0; i < READS_BEFORE; i++) {
      file.readFirstLost();
    }
    for (LocatedBlock block : all) {
      long id = block.getBlock().getBlockId();
      if (block.getLocations().length > 0) {
        try (SlowReplicas watched = new SlowReplicas(id, Duration.ZERO)) {
          file.readFirstLost();
          if (watched.delayed() > 0) {
            return OptionalLong.of(id);
          }
        }
      }
    }
    return OptionalLong.empty();
  }
}
