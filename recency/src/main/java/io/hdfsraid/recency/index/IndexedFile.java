// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.FileAttributes;
import java.time.Instant;
import java.util.OptionalInt;

/**
 * What the index knows of a file.
 *
 * @param inode the inode id; a negative number of our own if the file is provisional
 * @param provisional whether only events have reported the file; they do not contain inode ids
 * @param stale whether the attributes may have changed: ask HDFS before they are used
 * @param attributes with the latest access that any source reported, and with the storage policy
 *     that is inherited if the file has none
 * @param lastUsed the position in the order of last use
 * @param accesses how often the file is read, as of its last access
 * @param skipTag why the file is not in the order of last use
 * @param belowSnapshots whether a directory above has snapshots, which may hold the file
 */
public record IndexedFile(
    long inode,
    boolean provisional,
    boolean stale,
    String path,
    FileAttributes attributes,
    Instant lastUsed,
    Accesses accesses,
    OptionalInt skipTag,
    boolean belowSnapshots) {

  /**
   * The accesses to a file.
   *
   * @param counted their decayed number: each access counts less as it gets older
   */
  public record Accesses(double counted, AccessDecay decay) {}

  static IndexedFile of(
      FileEntry file, DirectoryPath directoryPath, IndexCounters state, AccessDecay decay) {
    return new IndexedFile(
        file.id(),
        file.isProvisional(),
        file.stale(),
        directoryPath.path() + "/" + file.name(),
        file.attributes(directoryPath.storagePolicy()),
        Instant.ofEpochMilli(file.lastUsed()),
        new Accesses(file.accesses(), decay),
        file.skipTag() != 0 && file.epoch() == state.epoch()
            ? OptionalInt.of(file.skipTag())
            : OptionalInt.empty(),
        directoryPath.snapshots());
  }
}
