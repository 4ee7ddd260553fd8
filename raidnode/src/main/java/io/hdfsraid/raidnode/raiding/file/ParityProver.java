// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.OtherChecksumException;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Proves parity before replication is lowered. The prover asks the DataNodes for the checksum of
 * every replica; no block data is transferred. It asks for every replica, because the NameNode
 * alone chooses which replicas it keeps.
 */
public final class ParityProver {
  private final DataNodes dataNodes;
  private final StripeLocator locator;
  private final ExecutorService io;

  public ParityProver(DataNodes dataNodes, StripeLocator locator, ExecutorService io) {
    this.dataNodes = dataNodes;
    this.locator = locator;
    this.io = io;
  }

  public ParityProof prove(ParityFile parity, LocatedFile source) throws IOException, LeftAlone {
    return prove(parity, Map.of(source.inode(), source));
  }

  /**
   * Asks the DataNodes whether they hold all units with the recorded checksums.
   *
   * @param members all members, by inode id
   * @throws LeftAlone naming the block in doubt, where it is one
   */
  public ParityProof prove(ParityFile parity, Map<Long, LocatedFile> members)
      throws IOException, LeftAlone {
    List<LocatedStripe> stripes = locator.locate(parity, members);
    List<Callable<Optional<LeftAlone>>> questions = new ArrayList<>();
    for (LocatedStripe stripe : stripes) {
      requireWhole(stripe);
      requireParityApart(stripe);
      for (StripeUnit unit : stripe.units()) {
        unit.located().ifPresent(block -> ask(stripe, unit, block, questions));
      }
    }
    try {
      for (Future<Optional<LeftAlone>> answer : io.invokeAll(questions)) {
        Optional<LeftAlone> doubt = answer.get();
        if (doubt.isPresent()) {
          throw doubt.get();
        }
      }
    } catch (ExecutionException e) {
      throw new IOException("Asking DataNodes for checksums failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while asking DataNodes for checksums");
    }
    return new ParityProof(parity, stripes);
  }

  private static void requireWhole(LocatedStripe stripe) throws LeftAlone {
    if (!stripe.changed().isEmpty()) {
      throw new LeftAlone(
          Reason.CHANGED_WHILE_ENCODING,
          "Units %s of %s are not as they were encoded".formatted(stripe.changed(), stripe));
    }
    if (!stripe.lost().isEmpty()) {
      throw new LeftAlone(
          Reason.MISSING_BLOCKS, "Units %s of %s are lost".formatted(stripe.lost(), stripe));
    }
  }

  private static void requireParityApart(LocatedStripe stripe) throws LeftAlone {
    Set<DataNode> crowded = ParitySeparation.crowdedNodes(stripe);
    if (!crowded.isEmpty()) {
      throw new LeftAlone(
          Reason.PARITY_CROWDED, "Two parity units of %s lie on %s".formatted(stripe, crowded));
    }
  }

  private void ask(
      LocatedStripe stripe,
      StripeUnit unit,
      LocatedBlock block,
      List<Callable<Optional<LeftAlone>>> questions) {
    for (Replica replica : block.live()) {
      questions.add(
          () -> {
            try {
              int answer = dataNodes.checksum(block.block(), replica);
              return answer == unit.crc()
                  ? Optional.empty()
                  : Optional.of(
                      unproven(
                          block,
                          "The replica of unit %d of %s on %s has other content: CRC32C %08x, not %08x"
                              .formatted(unit.unit(), stripe, replica.node(), answer, unit.crc())));
            } catch (OtherChecksumException e) {
              return Optional.of(
                  new LeftAlone(Reason.OTHER_CHECKSUM, e.getMessage(), Optional.of(block.block())));
            } catch (IOException e) {
              return Optional.of(
                  unproven(
                      block,
                      "The replica of unit %d of %s on %s cannot be proven: %s"
                          .formatted(unit.unit(), stripe, replica.node(), e.getMessage())));
            }
          });
    }
  }

  private static LeftAlone unproven(LocatedBlock block, String detail) {
    return new LeftAlone(Reason.REPLICA_UNPROVEN, detail, Optional.of(block.block()));
  }
}
