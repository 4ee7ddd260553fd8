// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims on files: within this process, at most one task works on a file. Safe for concurrent use.
 */
public final class FilesInWork {
  private final Set<Long> ids = ConcurrentHashMap.newKeySet();

  /** Work on one file, or one group. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws IOException;
  }

  /**
   * Does the work while no other task works on any of these files.
   *
   * @throws FileInWorkException when one does; none is waited for
   */
  public <T> T allAlone(Collection<Long> inodes, Work<T> work) throws IOException {
    List<Long> mine = new ArrayList<>();
    try {
      for (long inode : new TreeSet<>(inodes)) {
        if (!ids.add(inode)) {
          throw new FileInWorkException(inode);
        }
        mine.add(inode);
      }
      return work.run();
    } finally {
      ids.removeAll(mine);
    }
  }

  /**
   * Does the work while no other task works on the file or group.
   *
   * @throws FileInWorkException when one does; it is not waited for
   */
  public <T> T alone(long id, Work<T> work) throws IOException {
    if (!ids.add(id)) {
      throw new FileInWorkException(id);
    }
    try {
      return work.run();
    } finally {
      ids.remove(id);
    }
  }
}
