// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Collects the files that an update of the index concerns. Not safe for concurrent use. */
final class ChangeCollector {
  private final Set<Long> inodes = new HashSet<>();
  private final Map<Long, Integer> replication = new HashMap<>();
  private final Set<String> unidentified = new HashSet<>();
  private final Set<Long> access = new HashSet<>();

  void changed(FileEntry file, String path) {
    if (file.isProvisional()) {
      unidentified.add(path);
    } else {
      inodes.add(file.id());
    }
  }

  void replicationSet(FileEntry file, String path, int value) {
    if (file.isProvisional()) {
      unidentified.add(path);
    } else {
      replication.put(file.id(), value);
    }
  }

  /** A directory rename may concern many new files, and new files are not raided yet. */
  void accessChanged(FileEntry file) {
    if (!file.isProvisional()) {
      access.add(file.id());
    }
  }

  void removed(Entry entry) {
    if (entry instanceof FileEntry && !entry.isProvisional()) {
      inodes.add(entry.id());
    }
  }

  FileChanges changes() {
    return new FileChanges(inodes, replication, unidentified, access);
  }
}
