package io.hdfsraid.raidnode.raid;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Within this process one file is worked on by one task. Safe for concurrent use. */
public final class FilesInWork {
  private final Set<Long> inodes = ConcurrentHashMap.newKeySet();

  /** Work on one file. */
  @FunctionalInterface
  interface Work {
    Outcome run() throws IOException;
  }

  /**
   * Does the work while no other task works on the file.
   *
   * @throws FileInWorkException when one does; it is not waited for
   */
  Outcome alone(long inode, Work work) throws IOException {
    if (!inodes.add(inode)) {
      throw new FileInWorkException(inode);
    }
    try {
      return work.run();
    } finally {
      inodes.remove(inode);
    }
  }
}
