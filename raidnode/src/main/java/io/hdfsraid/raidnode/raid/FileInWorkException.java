package io.hdfsraid.raidnode.raid;

import java.io.IOException;

/** Another task of this daemon works on the file just now; try again when it has ended. */
public final class FileInWorkException extends IOException {
  private static final long serialVersionUID = 1L;

  public FileInWorkException(long inode) {
    super(
        "Another task is working on the file or group with id %d; try again later"
            .formatted(inode));
  }
}
