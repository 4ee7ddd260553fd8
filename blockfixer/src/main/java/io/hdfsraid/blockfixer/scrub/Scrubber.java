package io.hdfsraid.blockfixer.scrub;

import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.Finding;
import io.hdfsraid.blockfixer.detect.NodeAnswer;
import io.hdfsraid.blockfixer.detect.Source;
import io.hdfsraid.blockfixer.detect.StripeJudge;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Reads every replica of every unit of a stripe to its end, has its checksums verified on the way,
 * and compares what was read with the manifest. Finds rot that nobody has read yet, blocks cut
 * short, and other content under checksums that fit it, as zeros or the bytes of another block.
 * What fails is read once more before it is called bad. One replica after the other, with one
 * buffer: how many stripes are read at once is for the caller. Safe for concurrent use.
 */
public final class Scrubber {
  private static final int PIECE = 1 << 20;
  private static final int NOT_OPEN = -1;

  private final DataNodes dataNodes;

  /**
   * A scrubber.
   *
   * @param dataNodes read at whatever pace they allow
   */
  public Scrubber(DataNodes dataNodes) {
    this.dataNodes = dataNodes;
  }

  /**
   * Reads a stripe. Units that the NameNode knows to be lost, or that have changed, are not read.
   *
   * @throws InterruptedIOException when the thread is interrupted; nothing else ends a reading
   */
  public Reading read(LocatedStripe stripe) throws InterruptedIOException {
    List<Finding> findings = new ArrayList<>();
    Map<Integer, List<Replica>> sound = new HashMap<>();
    long bytes = 0;
    ByteBuffer buffer = ByteBuffer.allocate(piece(stripe));
    for (StripeUnit unit : stripe.units()) {
      if (unit.standing() == Standing.LIVE) {
        for (Replica replica : unit.located().orElseThrow().live()) {
          Look look = new Look(stripe, unit, replica, buffer);
          Optional<Finding> finding = look.finding();
          bytes += look.bytes;
          finding.ifPresentOrElse(
              findings::add,
              () -> sound.computeIfAbsent(unit.unit(), number -> new ArrayList<>()).add(replica));
        }
      }
    }
    return new Reading(stripe, StripeJudge.judge(stripe, findings), sound, bytes);
  }

  /** Reads one replica; empty when it holds what was recorded. */
  public Optional<Finding> read(LocatedStripe stripe, int unit, Replica replica)
      throws InterruptedIOException {
    return new Look(stripe, stripe.unit(unit), replica, ByteBuffer.allocate(piece(stripe)))
        .finding();
  }

  private static int piece(LocatedStripe stripe) {
    return (int) Math.max(1, Math.min(PIECE, stripe.stripeLength()));
  }

  /** One replica, read as often as it takes to say what is wrong with it. */
  private final class Look {
    private final LocatedStripe stripe;
    private final StripeUnit unit;
    private final Block block;
    private final Replica replica;
    private final ByteBuffer buffer;
    private long position;
    private long cutAt;
    private long bytes;

    Look(LocatedStripe stripe, StripeUnit unit, Replica replica, ByteBuffer buffer) {
      this.stripe = stripe;
      this.unit = unit;
      this.block = unit.located().map(LocatedBlock::block).orElseThrow();
      this.replica = replica;
      this.buffer = buffer;
    }

    Optional<Finding> finding() throws InterruptedIOException {
      cutAt = -1;
      Optional<Finding> first = once();
      return first.isEmpty() ? first : once();
    }

    private Optional<Finding> once() throws InterruptedIOException {
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
        Fault fault = NodeAnswer.faultOf(e, Source.SCRUB);
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
      position = NOT_OPEN;
      try (BlockInput input = dataNodes.open(block, replica, 0, block.length())) {
        position = 0;
        while (position < block.length()) {
          buffer.clear().limit((int) Math.min(buffer.capacity(), block.length() - position));
          input.readFully(buffer);
          position += buffer.position();
          bytes += buffer.position();
          crc.update(buffer.flip());
        }
      }
      return (int) crc.getValue();
    }

    /**
     * A data file that is shorter than its checksum file says shows as a connection that breaks
     * off, as that of a node which dies does. But a node that dies answers no question; one that
     * vouches for the replica, and twice breaks off at the same byte, just cannot give it.
     */
    private boolean isCutShort(IOException failure) throws InterruptedIOException {
      if (position == NOT_OPEN) {
        return false; // a node with too many streams refuses one and answers the next question
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

    private Finding named(Fault fault, String what) {
      return new Finding(
          unit.unit(),
          block,
          Optional.of(replica),
          fault,
          Source.SCRUB,
          "%s on %s, unit %d of %s: %s"
              .formatted(block, replica.node(), unit.unit(), stripe, what));
    }
  }

  /** Somebody wants this thread to stop, which says nothing about the replica. */
  private static void throwIfInterrupted(IOException e) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()
        || e instanceof ClosedByInterruptException
        || (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException))) {
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while scrubbing").initCause(e);
    }
  }
}
