package io.hdfsraid.raidnode.recency;

import io.hdfsraid.policies.AccessRate;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Further;
import io.hdfsraid.policies.StoragePolicy;
import io.hdfsraid.raidnode.catalog.namespace.IndexedFile;
import io.hdfsraid.raidnode.catalog.namespace.IndexedFile.Accesses;
import io.hdfsraid.raidnode.namespace.FileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** What policies are told of a file that the index knows. */
public final class IndexedFacts {
  private IndexedFacts() {}

  public static FileFacts of(IndexedFile file) {
    FileAttributes attributes = file.attributes();
    return new FileFacts(
        file.path(),
        file.inode(),
        attributes.length(),
        Math.max(1, attributes.blockSize()),
        // A file of which nothing is written yet may have its first block already.
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
                StoragePolicy.ofNumber(attributes.storagePolicy()).orElse(StoragePolicy.HOT)),
            Optional.of(file.belowSnapshots()),
            file.accesses().counted() > 0 ? Optional.of(rate(file)) : Optional.empty(),
            Optional.empty()));
  }

  /** How often it is opened, as far as accesses are counted. */
  public static AccessRate rate(IndexedFile file) {
    Accesses accesses = file.accesses();
    return new AccessRate(
        accesses.counted(),
        Instant.ofEpochMilli(file.attributes().accessed()),
        accesses.smoothing().halfLife());
  }
}
