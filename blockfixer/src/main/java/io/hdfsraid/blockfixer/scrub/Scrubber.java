// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.scrub;

import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.FaultClassifier;
import io.hdfsraid.blockfixer.detect.StripeJudge;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitDigest;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.Consistency;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.zip.CRC32C;

/**
 * Reads every replica of every unit of a stripe completely, with verification of its checksums, and
 * compares the bytes with the manifest. This finds bit rot, truncated blocks, and wrong content
 * under matching checksums, such as zeros or the bytes of another block. A replica that fails is
 * read once more before it is called bad. The sums of all units tell whether the parity belongs to
 * the data, which recorded checksums cannot: they are those of whatever was encoded. Replicas are
 * read one after the other with one buffer; the caller limits the number of stripes read in
 * parallel. Safe for concurrent use.
 */
public final class Scrubber {
  private static final int PIECE = 1 << 20;
  private static final int NOT_OPEN = -1;

  private final DataNodes dataNodes;

  /**
   * Creates a scrubber.
   *
   * @param dataNodes the DataNodes, which may limit the rate
   */
  public Scrubber(DataNodes dataNodes) {
    this.dataNodes = dataNodes;
  }

  /**
   * Reads a stripe. Units that are lost according to the NameNode, or have changed, are not read.
   *
   * @throws InterruptedIOException if the thread is interrupted; nothing else ends a scrub
   */
  public ScrubResult read(LocatedStripe stripe) throws InterruptedIOException {
    return read(stripe, (block, replica) -> false);
  }

  /**
   * Reads a stripe as {@link #read(LocatedStripe)} does, but for replicas that were read before.
   */
  public ScrubResult read(LocatedStripe stripe, BiPredicate<Block, Replica> readBefore)
      throws InterruptedIOException {
    List<UnitFinding> findings = new ArrayList<>();
    Map<Integer, List<Replica>> sound = new HashMap<>();
    ByteBuffer[] digests = new ByteBuffer[stripe.units().size()];
    long bytes = 0;
    ByteBuffer buffer = ByteBuffer.allocate(piece(stripe));
    for (StripeUnit unit : stripe.units()) {
      if (unit.state() == UnitState.LIVE) {
        LocatedBlock located = unit.located().orElseThrow();
        for (Replica replica : located.live()) {
          if (readBefore.test(located.block(), replica)) {
            continue;
          }
          ReplicaScan scan = new ReplicaScan(stripe, unit, replica, buffer);
          Optional<UnitFinding> finding = scan.finding();
          bytes += scan.bytes;
          if (finding.isPresent()) {
            findings.add(finding.get());
          } else {
            sound.computeIfAbsent(unit.unit(), number -> new ArrayList<>()).add(replica);
            digests[unit.unit()] = scan.digest.row();
          }
        }
      } else if (unit.state() == UnitState.ABSENT) {
        digests[unit.unit()] = digest(stripe).row(); // zeros
      }
    }
    return new ScrubResult(
        stripe,
        StripeJudge.judge(stripe, findings),
        sound,
        bytes,
        stripe.codec().verify(digests).verdict() == Consistency.Verdict.WRONG);
  }

  private static UnitDigest digest(LocatedStripe stripe) {
    return UnitDigest.of(stripe.layout(), stripe.stripeLength());
  }

  /** Reads one replica; empty if it holds the recorded bytes. */
  public Optional<UnitFinding> read(LocatedStripe stripe, int unit, Replica replica)
      throws InterruptedIOException {
    return new ReplicaScan(stripe, stripe.unit(unit), replica, ByteBuffer.allocate(piece(stripe)))
        .finding();
  }

  private static int piece(LocatedStripe stripe) {
    return (int) Math.max(1, Math.min(PIECE, stripe.stripeLength()));
  }

  /** Reads one replica, twice if necessary, to find out what is wrong with it. */
  private final class ReplicaScan {
    private final LocatedStripe stripe;
    private final StripeUnit unit;
    private final Block block;
    private final Replica replica;
    private final ByteBuffer buffer;
    private UnitDigest digest;
    private long position;
    private long cutAt;
    private long bytes;

    ReplicaScan(LocatedStripe stripe, StripeUnit unit, Replica replica, ByteBuffer buffer) {
      this.stripe = stripe;
      this.unit = unit;
      this.block = unit.located().map(LocatedBlock::block).orElseThrow();
      this.replica = replica;
      this.buffer = buffer;
    }

    Optional<UnitFinding> finding() throws InterruptedIOException {
      cutAt = -1;
      Optional<UnitFinding> first = once();
      return first.isEmpty() ? first : once();
    }

    private Optional<UnitFinding> once() throws InterruptedIOException {
      try {
        int crc = crc();
        return crc == unit.crc()
            ? Optional.empty()
            : Optional.of(
                named(
                    Fault.OTHER_CONTENT,
                    "its bytes fit its own checksums, but have CRC32C %08x where %08x was recorded"
                        .formatted(crc, unit.crc())));
      } catch (IOException e) {
        throwIfInterrupted(e);
        Fault fault = FaultClassifier.faultOf(e, DetectionSource.SCRUB);
        if (fault == Fault.UNREACHABLE && isCutShort(e)) {
          boolean sameAgain = cutAt == position;
          cutAt = position;
          return Optional.of(
              named(
                  sameAgain ? Fault.ROTTEN : Fault.UNREACHABLE,
                  "its node answers for it, but does not give its bytes from %d on (%s)"
                      .formatted(position, e)));
        }
        return Optional.of(
            named(
                fault, "reading byte %d or later failed (%s)".formatted(Math.max(0, position), e)));
      }
    }

    private int crc() throws IOException {
      CRC32C crc = new CRC32C();
      digest = digest(stripe);
      position = NOT_OPEN;
      try (BlockInput input = dataNodes.open(block, replica, 0, block.length())) {
        position = 0;
        while (position < block.length()) {
          buffer.clear().limit((int) Math.min(buffer.capacity(), block.length() - position));
          input.readFully(buffer);
          digest.add(position, buffer.duplicate().flip());
          position += buffer.position();
          bytes += buffer.position();
          crc.update(buffer.flip());
        }
      }
      return (int) crc.getValue();
    }

    /**
     * Whether the data file is truncated. Then the connection breaks off, as it does if the node
     * dies. But a dead node answers no query. If the node still returns the checksum of the
     * replica, and the connection breaks off twice at the same byte, the node cannot read the
     * replica.
     */
    private boolean isCutShort(IOException failure) throws InterruptedIOException {
      if (position == NOT_OPEN) {
        return false; // a node with too many streams refuses one and answers the next query
      }
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        if (cause instanceof SocketTimeoutException) {
          return false; // slow is not short
        }
      }
      try {
        return dataNodes.checksum(block, replica) == unit.crc();
      } catch (IOException e) {
        throwIfInterrupted(e);
        return false;
      }
    }

    private UnitFinding named(Fault fault, String what) {
      return new UnitFinding(
          unit.unit(),
          block,
          Optional.of(replica),
          fault,
          DetectionSource.SCRUB,
          "%s on %s, unit %d of %s: %s"
              .formatted(block, replica.node(), unit.unit(), stripe, what));
    }
  }

  /** Throws if the thread was interrupted, which says nothing about the replica. */
  private static void throwIfInterrupted(IOException e) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted() || Interrupts.isInterrupt(e)) {
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while scrubbing").initCause(e);
    }
  }
}
