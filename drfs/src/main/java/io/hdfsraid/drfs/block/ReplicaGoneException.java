// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.io.IOException;

/**
 * Thrown when a DataNode answers that it does not have the replica. This answer is stronger
 * evidence than a broken connection, which also occurs while a node starts or shuts down.
 */
public final class ReplicaGoneException extends IOException {
  private static final long serialVersionUID = 1L;

  public ReplicaGoneException(Block block, DataNode node, Throwable cause) {
    super("%s answers that it has no replica of %s".formatted(node, block), cause);
  }
}
