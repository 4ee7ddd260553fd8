package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.ChecksumFailure;
import io.hdfsraid.drfs.block.ReplicaGoneException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketTimeoutException;

/** What a failure to get something from a DataNode proves about the replica it was asked for. */
public final class NodeAnswer {
  private NodeAnswer() {}

  /**
   * The fault that a failure stands for. In doubt {@link Fault#UNREACHABLE}, which proves nothing:
   * a good replica that is reported as bad stays bad in the NameNode's eyes.
   *
   * <p>Asked for a checksum, a DataNode without the replica, or without its checksum file, hangs up
   * instead of answering: enough to plan with, but no proof, for a node that dies or starts does
   * the same. Asked for bytes it says so; hanging up in the middle of a read only means that it
   * died.
   */
  public static Fault faultOf(IOException failure, Source source) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ChecksumFailure) {
        return Fault.ROTTEN;
      }
      if (cause instanceof SocketTimeoutException) {
        return Fault.UNREACHABLE;
      }
      if (cause instanceof ReplicaGoneException) {
        return Fault.REPLICA_GONE;
      }
      if (cause instanceof EOFException || cause instanceof FileNotFoundException) {
        return source == Source.DATANODE_CHECKSUM ? Fault.REPLICA_GONE : Fault.UNREACHABLE;
      }
    }
    return Fault.UNREACHABLE;
  }
}
