package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.detect.BadReplica;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.ReplicaGoneException;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Asks a DataNode again about a replica that is held to be bad, just before anything is done that
 * cannot be taken back: what was seen when the stripe was judged may be over by then, as a node is
 * that was being restarted.
 */
final class SecondLook {
  private final LocatedStripe stripe;
  private final DataNodes dataNodes;

  SecondLook(LocatedStripe stripe, DataNodes dataNodes) {
    this.stripe = stripe;
    this.dataNodes = dataNodes;
  }

  /** What the node says now. */
  enum Answer {
    /** It holds other bytes, or has given bytes that contradict its checksums. */
    BAD,
    /**
     * It says that it has no such replica. HDFS 3.5.0, with data and checksum file gone: asked for
     * a checksum the DataNode hangs up and the NameNode goes on listing the replica; asked for one
     * byte it says {@code FileNotFoundException} or {@code ReplicaNotFoundException} and tells the
     * NameNode itself that the replica is deleted, which stops listing it within about 1 s.
     */
    GONE,
    /** The recorded bytes are there. */
    GOOD,
    /** Nothing that proves anything: it does not answer, or hangs up. */
    SILENT
  }

  Answer at(BadReplica bad) {
    if (bad.fault() == Fault.ROTTEN) {
      return Answer.BAD; // a checksum request is blind to rot
    }
    try {
      int crc = dataNodes.checksum(bad.block(), bad.replica());
      return crc == stripe.unit(bad.unit()).crc() ? Answer.GOOD : Answer.BAD;
    } catch (IOException e) {
      return firstByte(bad);
    }
  }

  private Answer firstByte(BadReplica bad) {
    try (BlockInput input = dataNodes.open(bad.block(), bad.replica(), 0, 1)) {
      input.readFully(ByteBuffer.allocate(1));
      return Answer.SILENT; // it has something, and no checksum of it was to be had
    } catch (ReplicaGoneException e) {
      return Answer.GONE;
    } catch (IOException e) {
      return Answer.SILENT;
    }
  }
}
