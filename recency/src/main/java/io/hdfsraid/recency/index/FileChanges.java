// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import java.util.Map;
import java.util.Set;

/**
 * Files that changes of the namespace concern, other than by reads.
 *
 * @param inodes the inode ids of files that were appended to, truncated, concatenated, overwritten
 *     or deleted, or that got another owner, other permissions or other access control entries
 * @param replication the inode ids of files whose replication was set, with the last value
 * @param unidentified the paths of changed files whose inode ids are not known yet; deleted files
 *     are left out
 * @param access the inode ids of files that other users may reach by path than before: a directory
 *     above got another owner, other permissions or other access control entries, or the file or a
 *     directory above was renamed
 */
public record FileChanges(
    Set<Long> inodes, Map<Long, Integer> replication, Set<String> unidentified, Set<Long> access) {
  public FileChanges {
    inodes = Set.copyOf(inodes);
    replication = Map.copyOf(replication);
    unidentified = Set.copyOf(unidentified);
    access = Set.copyOf(access);
  }

  public boolean isEmpty() {
    return inodes.isEmpty() && replication.isEmpty() && unidentified.isEmpty() && access.isEmpty();
  }
}
