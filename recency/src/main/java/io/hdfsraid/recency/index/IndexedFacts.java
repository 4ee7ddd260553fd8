// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.policies.AccessRate;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Further;
import io.hdfsraid.policies.HdfsStoragePolicy;
import io.hdfsraid.recency.index.IndexedFile.Accesses;
import io.hdfsraid.recency.namespace.FileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** Converts a file of the index to the facts that policies decide on. */
public final class IndexedFacts {
  private IndexedFacts() {}

  public static FileFacts of(IndexedFile file) {
    FileAttributes attributes = file.attributes();
    return new FileFacts(
        file.path(),
        file.inode(),
        attributes.length(),
        Math.max(1, attributes.blockSize()),
        // An empty file may have its first block already.
        attributes.length() == 0 ? 0 : attributes.blocks(),
        attributes.replication(),
        Instant.ofEpochMilli(attributes.modified()),
        attributes.accessed() > 0
            ? Optional.of(Instant.ofEpochMilli(attributes.accessed()))
            : Optional.empty(),
        attributes.owner(),
        attributes.group(),
        attributes.traits(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        new Further(
            Optional.of(
                HdfsStoragePolicy.ofNumber(attributes.storagePolicy())
                    .orElse(HdfsStoragePolicy.HOT)),
            Optional.of(file.belowSnapshots()),
            file.accesses().counted() > 0 ? Optional.of(rate(file)) : Optional.empty(),
            Optional.empty()));
  }

  /** Returns how often the file is opened, as far as accesses are counted. */
  public static AccessRate rate(IndexedFile file) {
    Accesses accesses = file.accesses();
    return new AccessRate(
        accesses.counted(),
        Instant.ofEpochMilli(file.attributes().accessed()),
        accesses.decay().halfLife());
  }
}
