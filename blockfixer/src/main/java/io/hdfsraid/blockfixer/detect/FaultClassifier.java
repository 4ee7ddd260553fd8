// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.ReplicaGoneException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketTimeoutException;

/** Classifies failed requests to a DataNode: what a failure proves about the replica. */
public final class FaultClassifier {
  private FaultClassifier() {}

  /**
   * Returns the fault that a failure indicates; in doubt {@link Fault#UNREACHABLE}, which proves
   * nothing. The NameNode never takes back a report of a bad replica.
   *
   * <p>A DataNode without the replica, or without its checksum file, answers a checksum query by
   * closing the connection. This suffices for planning but is no proof, because a node that dies or
   * starts does the same. A read request is answered explicitly. A connection that closes during a
   * read only means that the node died.
   */
  public static Fault faultOf(IOException failure, DetectionSource source) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CorruptReplicaException) {
        return Fault.ROTTEN;
      }
      if (cause instanceof SocketTimeoutException) {
        return Fault.UNREACHABLE;
      }
      if (cause instanceof ReplicaGoneException) {
        return Fault.REPLICA_GONE;
      }
      if (cause instanceof EOFException || cause instanceof FileNotFoundException) {
        return source == DetectionSource.DATANODE_CHECKSUM ? Fault.REPLICA_GONE : Fault.UNREACHABLE;
      }
    }
    return Fault.UNREACHABLE;
  }
}
