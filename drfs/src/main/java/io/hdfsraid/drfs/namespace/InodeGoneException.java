// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import java.io.FileNotFoundException;

/**
 * Thrown when no live file has the inode id. The blocks of the file may still exist, in a snapshot
 * or after a concat.
 */
public final class InodeGoneException extends FileNotFoundException {
  private static final long serialVersionUID = 1L;

  public InodeGoneException(long inode) {
    super(
        "There is no live file with inode id %d (deleted, overwritten, or concatenated onto another file)"
            .formatted(inode));
  }
}
