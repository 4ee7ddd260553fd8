// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import java.io.IOException;

/**
 * Another task of this daemon works on the file. The caller can try again when that task has ended.
 */
public final class FileInWorkException extends IOException {
  private static final long serialVersionUID = 1L;

  public FileInWorkException(long inode) {
    super(
        "Another task is working on the file or group with id %d; try again later"
            .formatted(inode));
  }
}
