// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares each replica with the manifest before the first byte is used from it. A DataNode
 * verifies bytes against checksums that lie beside them on its disk. If both were replaced
 * (HDFS-14768 wrote zeros over parity), nothing but the manifest shows it, and the CRC in the
 * manifest covers a whole unit, never the part of it that a reader rebuilds.
 *
 * <p>Remembers what was compared: a replica of a block at one generation stamp does not change. One
 * instance serves the readers of one lost block, for a while. Safe for concurrent use.
 */
public final class VerifiedReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(VerifiedReplicas.class);

  private final Executor executor;

  /** The CRC32C of each replica that has answered. */
  private final Map<Location, Integer> answers = new ConcurrentHashMap<>();

  private record Location(Block block, Replica replica) {}

  /** Asks the NameNode for a block of the stripe. */
  public interface BlockLookup {
    /** Returns the block; empty if its file does not have exactly this block any more. */
    Optional<LocatedBlock> now(Block block) throws IOException;
  }

  /**
   * @param executor not bounded: it asks for checksums, and whoever reads waits for them
   */
  public VerifiedReplicas(Executor executor) {
    this.executor = executor;
  }

  /** Throws if a replica holds other content than was encoded. */
  private interface Proof {
    void of(int crc) throws ContradictingReplicaException;
  }

  /** A replica whose checksum has been asked for, and that is read meanwhile. */
  private static final class Unproven implements BlockInput {
    private final BlockInput input;
    private final Future<Integer> answer;
    private final Proof proof;
    private boolean proven;

    Unproven(BlockInput input, Future<Integer> answer, Proof proof) {
      this.input = input;
      this.answer = answer;
      this.proof = proof;
    }

    @Override
    public void readFully(ByteBuffer target) throws IOException {
      input.readFully(target);
      if (!proven) {
        proof.of(Interrupts.await(answer, "waiting for a checksum"));
        proven = true;
      }
    }

    @Override
    public void close() throws IOException {
      answer.cancel(true); // if it has not come yet, the bytes have not been used
      input.close();
    }
  }

  /**
   * Returns the same DataNodes, which give no bytes of a replica of the stripe that holds other
   * content than was encoded. The first read of a replica goes beside the question. Such a replica
   * is reported to the NameNode if the NameNode, asked again after the replica, still lists it at
   * the recorded generation stamp.
   *
   * @param blocks a failure to look up is logged and not thrown, and nothing is reported
   * @param reports a failure to report is logged and not thrown
   */
  public DataNodes of(
      LocatedStripe stripe, DataNodes dataNodes, BlockLookup blocks, BadReplicaReports reports) {
    Map<Block, StripeUnit> units = new HashMap<>();
    for (StripeUnit unit : stripe.units()) {
      unit.located().ifPresent(located -> units.put(located.block(), unit));
    }
    return new DataNodes() {
      @Override
      public BlockInput open(Block block, Replica replica, long offset, long length)
          throws IOException {
        StripeUnit unit = units.get(block);
        if (unit == null) {
          throw new IllegalArgumentException("%s is no unit of %s".formatted(block, stripe));
        }
        Integer known = answers.get(new Location(block, replica));
        if (known != null) {
          require(unit, replica, known);
          return dataNodes.open(block, replica, offset, length);
        }
        Future<Integer> answer = ask(block, replica);
        try {
          BlockInput input = dataNodes.open(block, replica, offset, length);
          return new Unproven(input, answer, crc -> require(unit, replica, crc));
        } catch (IOException | RuntimeException e) {
          answer.cancel(true);
          throw e;
        }
      }

      private void require(StripeUnit unit, Replica replica, int crc)
          throws ContradictingReplicaException {
        if (crc != unit.crc()) {
          throw new ContradictingReplicaException(stripe, unit, replica, crc);
        }
      }

      private Future<Integer> ask(Block block, Replica replica) throws IOException {
        FutureTask<Integer> answer = new FutureTask<>(() -> answer(block, replica));
        try {
          executor.execute(answer);
          return answer;
        } catch (RejectedExecutionException e) {
          throw new IOException("No thread asks for a checksum: " + e.getMessage(), e);
        }
      }

      private int answer(Block block, Replica replica) throws IOException {
        Location location = new Location(block, replica);
        Integer known = answers.get(location);
        if (known != null) {
          return known;
        }
        int crc = checksum(block, replica);
        if (answers.putIfAbsent(location, crc) == null && crc != units.get(block).crc()) {
          report(block, replica, crc);
        }
        return crc;
      }

      /** Asks twice before it returns a contradiction, which may have come about on the way. */
      @Override
      public int checksum(Block block, Replica replica) throws IOException {
        int crc = dataNodes.checksum(block, replica);
        return crc == units.get(block).crc() ? crc : dataNodes.checksum(block, replica);
      }

      private void report(Block block, Replica replica, int crc) {
        LOG.warn(
            "{} on {}, in {}, holds other bytes than were encoded (CRC32C {}, recorded {}); they are not used",
            block,
            replica.node(),
            stripe,
            "%08x".formatted(crc),
            "%08x".formatted(units.get(block).crc()));
        try {
          // HDFS marks a replica by the id of its block. If the block was rewritten since it was
          // located (truncate and append keep the id), the replica is a good one of the new block.
          boolean listed =
              blocks.now(block).stream()
                  .flatMap(located -> located.live().stream())
                  .anyMatch(live -> live.node().equals(replica.node()));
          if (listed) {
            reports.report(block, replica);
          }
        } catch (IOException e) {
          if (Interrupts.isInterrupt(e)) {
            answers.remove(new Location(block, replica)); // another helper failed first
            return;
          }
          LOG.warn("{} on {} could not be reported to the NameNode", block, replica.node(), e);
        }
      }
    };
  }
}
