// SPDX-License-Identifier: Apache-2.0
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
 * Checks a bad replica once more, immediately before a step that cannot be undone. The earlier
 * fault may be over by now, for example because the node was restarting.
 */
final class ReplicaRecheck {
  private final LocatedStripe stripe;
  private final DataNodes dataNodes;

  ReplicaRecheck(LocatedStripe stripe, DataNodes dataNodes) {
    this.stripe = stripe;
    this.dataNodes = dataNodes;
  }

  /** The result of the check. */
  enum Result {
    /** The replica holds other bytes, or its bytes contradict its checksums. */
    BAD,
    /**
     * The node says that it has no such replica. In HDFS 3.5.0, if the data and checksum files are
     * gone, a DataNode answers a checksum query by closing the connection, and the NameNode keeps
     * listing the replica. It answers a read of one byte with {@code FileNotFoundException} or
     * {@code ReplicaNotFoundException}, and tells the NameNode that the replica is deleted. The
     * NameNode then stops listing the replica within about 1 s.
     */
    GONE,
    /** The node has the recorded bytes. */
    GOOD,
    /** The node does not answer or closes the connection, which proves nothing. */
    SILENT
  }

  Result at(BadReplica bad) {
    if (bad.fault() == Fault.ROTTEN) {
      return Result.BAD; // a checksum request is blind to rot
    }
    try {
      int crc = dataNodes.checksum(bad.block(), bad.replica());
      return crc == stripe.unit(bad.unit()).crc() ? Result.GOOD : Result.BAD;
    } catch (IOException e) {
      return firstByte(bad);
    }
  }

  private Result firstByte(BadReplica bad) {
    try (BlockInput input = dataNodes.open(bad.block(), bad.replica(), 0, 1)) {
      input.readFully(ByteBuffer.allocate(1));
      return Result.SILENT; // the node has a replica but does not return its checksum
    } catch (ReplicaGoneException e) {
      return Result.GONE;
    } catch (IOException e) {
      return Result.SILENT;
    }
  }
}
