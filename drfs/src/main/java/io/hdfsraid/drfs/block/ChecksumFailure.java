package io.hdfsraid.drfs.block;

import java.io.IOException;

/**
 * The bytes of a replica contradict its checksums: that replica is lost, whatever the NameNode
 * says. Another replica of the block may be good.
 */
public final class ChecksumFailure extends IOException {
  private static final long serialVersionUID = 1L;

  public ChecksumFailure(Block block, DataNode node, Throwable cause) {
    super("The replica of %s on %s is corrupt".formatted(block, node), cause);
  }
}
