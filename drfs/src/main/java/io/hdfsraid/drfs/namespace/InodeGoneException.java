package io.hdfsraid.drfs.namespace;

import java.io.FileNotFoundException;

/**
 * The file with this inode id does not live any more. Its blocks may, in a snapshot or after a
 * concat.
 */
public final class InodeGoneException extends FileNotFoundException {
  private static final long serialVersionUID = 1L;

  public InodeGoneException(long inode) {
    super(
        "There is no live file with inode id %d (deleted, overwritten, or concatenated onto another file)"
            .formatted(inode));
  }
}
