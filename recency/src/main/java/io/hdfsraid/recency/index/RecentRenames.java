// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last renames. Edits are taken in before the lines of the audit log, so a read may be reported
 * by the path that the file had then. Kept in memory only. Not safe for concurrent use.
 */
final class RecentRenames {
  private static final int MOST = 100_000;

  /** A path that is renamed more often within a few seconds is not followed to its end. */
  private static final int MOST_HOPS = 8;

  private record Rename(String to, long at) {}

  private final Map<String, Rename> byPath =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Rename> eldest) {
          return size() > MOST;
        }
      };

  private long newest = Long.MIN_VALUE;

  /** Adds the rename of a file or a directory, at a time of the NameNode's clock. */
  void add(String from, String to, long at) {
    Rename unused = byPath.remove(from); // or it would keep its place
    unused = byPath.put(from, new Rename(to, at));
    newest = Math.max(newest, at);
  }

  /** Returns the present path of the file that was at a path at a time. */
  String present(String path, long at) {
    String now = path;
    long since = at;
    for (int hop = 0; hop < MOST_HOPS && since <= newest; hop++) {
      boolean moved = false;
      for (int end = now.length(); end > 0 && !moved; end = now.lastIndexOf('/', end - 1)) {
        Rename rename = byPath.get(now.substring(0, end));
        if (rename != null && rename.at >= since) {
          now = rename.to + now.substring(end);
          since = rename.at;
          moved = true;
        }
      }
      if (!moved) {
        break;
      }
    }
    return now;
  }
}
