// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.io.IOException;

/**
 * Thrown when the bytes of a replica contradict its checksums. The replica is lost even if the
 * NameNode lists it as good. Another replica of the block may be good.
 */
public final class CorruptReplicaException extends IOException {
  private static final long serialVersionUID = 1L;

  public CorruptReplicaException(Block block, DataNode node, Throwable cause) {
    super("The replica of %s on %s is corrupt".formatted(block, node), cause);
  }
}
