package io.hdfsraid.drfs.block;

import java.io.IOException;

/**
 * A DataNode has answered that it has no such replica. More than a connection that breaks, which a
 * node that is shutting down or starting up does as well.
 */
public final class ReplicaGoneException extends IOException {
  private static final long serialVersionUID = 1L;

  public ReplicaGoneException(Block block, DataNode node, Throwable cause) {
    super("%s answers that it has no replica of %s".formatted(node, block), cause);
  }
}
