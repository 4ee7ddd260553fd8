package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.namespace.FileAttributes;
import java.time.Instant;
import java.util.OptionalInt;

/**
 * What the index knows of a file.
 *
 * @param inode its number; a negative one of ours while it is provisional
 * @param provisional it was made after the last look at HDFS itself, which alone tells numbers
 * @param stale its attributes may have changed: ask HDFS before they are used
 * @param attributes with the latest access of which any source has told, and with the storage
 *     policy that the file has from a directory above it when it has none of its own
 * @param lastUsed its place in the order
 * @param accesses how often it is read; at the last of its accesses
 * @param setAside the tag of who took it out of the order
 * @param belowSnapshots snapshots have been taken of a directory above it, and may hold it
 */
public record IndexedFile(
    long inode,
    boolean provisional,
    boolean stale,
    String path,
    FileAttributes attributes,
    Instant lastUsed,
    Accesses accesses,
    OptionalInt setAside,
    boolean belowSnapshots) {

  /**
   * Accesses to a file.
   *
   * @param counted what they amount to, each of them counting less as it gets older
   */
  public record Accesses(double counted, Smoothing smoothing) {}

  static IndexedFile of(FileEntry file, Trail trail, State state, Smoothing smoothing) {
    return new IndexedFile(
        file.id(),
        file.isProvisional(),
        file.stale(),
        trail.path() + "/" + file.name(),
        file.attributes(trail.storagePolicy()),
        Instant.ofEpochMilli(file.lastUsed()),
        new Accesses(file.accesses(), smoothing),
        file.aside() != 0 && file.epoch() == state.epoch()
            ? OptionalInt.of(file.aside())
            : OptionalInt.empty(),
        trail.snapshots());
  }
}
