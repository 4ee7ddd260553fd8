// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.block.ReplicaGoneException;
import io.hdfsraid.drfs.stripe.VerifiedReplicas.BlockLookup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the NameNode which replicas readers have found to be gone or rotten, so that the repair
 * begins without having to find them. The NameNode believes a report and never takes it back, so a
 * replica is first tried again over another connection, and must still be listed. A client reports
 * a replica once. If very many are bad at once, a disk has died, and the NameNode learns of that in
 * other ways: there is a limit for each minute. Safe for concurrent use; readers do not wait for
 * it.
 */
final class SuspectReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(SuspectReplicas.class);

  /** Replicas that were reported. Beyond that the oldest may be reported again. */
  private static final int REMEMBERED = 1_000;

  private static final int LONGEST_READ = 1 << 20;
  static final int MOST_IN_A_MINUTE = 60;
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Executor executor;
  private final LongSupplier nanoTime;

  /** Replicas that are being looked at, or were reported. */
  private final Set<Suspect> known =
      Collections.synchronizedSet(Collections.newSetFromMap(new LeastRecentlyUsed<>(REMEMBERED)));

  // Both guarded by this.
  private long minuteBegan;
  private int looks;

  private record Suspect(Block block, DataNode node) {}

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  SuspectReplicas(Executor executor, LongSupplier nanoTime) {
    this.executor = executor;
    this.nanoTime = nanoTime;
    this.minuteBegan = nanoTime.getAsLong();
  }

  private synchronized boolean mayLook() {
    long now = nanoTime.getAsLong();
    if (now - minuteBegan >= MINUTE_NANOS) {
      minuteBegan = now;
      looks = 0;
    }
    return looks++ < MOST_IN_A_MINUTE;
  }

  /**
   * Looks at a replica later, and reports it if it is bad.
   *
   * @param offset where reading it failed
   * @param blocks asks the NameNode for the block after the replica was tried
   */
  void suspect(
      Block block,
      Replica replica,
      long offset,
      DataNodes dataNodes,
      BlockLookup blocks,
      BadReplicaReports reports) {
    Suspect suspect = new Suspect(block, replica.node());
    if (!known.add(suspect)) {
      return;
    }
    if (!mayLook()) {
      known.remove(suspect); // the next reader of it may ask again
      return;
    }
    try {
      executor.execute(
          () -> {
            boolean reported = false;
            try {
              if (isBad(block, replica, offset, dataNodes) && isListed(block, replica, blocks)) {
                reports.report(block, replica);
                reported = true;
                LOG.info("{} on {} was reported to the NameNode", block, replica.node());
              }
            } catch (IOException | RuntimeException e) {
              LOG.debug("{} on {} was not reported to the NameNode", block, replica.node(), e);
            } finally {
              if (!reported) {
                known.remove(suspect); // it may go bad later, or be seen to be
              }
            }
          });
    } catch (RejectedExecutionException e) {
      known.remove(suspect);
      LOG.debug("Nobody looks at {}", block, e);
    }
  }

  private static boolean isBad(Block block, Replica replica, long offset, DataNodes dataNodes)
      throws IOException {
    int length = (int) Math.min(LONGEST_READ, block.length() - offset);
    try (BlockInput input = dataNodes.open(block, replica, offset, length)) {
      input.readFully(ByteBuffer.allocate(length));
      return false;
    } catch (ReplicaGoneException | CorruptReplicaException e) {
      return true;
    }
  }

  private static boolean isListed(Block block, Replica replica, BlockLookup blocks)
      throws IOException {
    return blocks.now(block).stream()
        .flatMap(located -> located.live().stream())
        .anyMatch(live -> live.node().equals(replica.node()));
  }
}
