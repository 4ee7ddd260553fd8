// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The facts about a file at the time of a verdict. {@link #of} makes the usual case, and the {@code
 * with…} methods change it.
 *
 * @param path absolute; only the place to look a policy up, never an identity
 * @param blockSize the size of a full block in bytes
 * @param blocks how many blocks there are; not derived, because concat leaves short blocks anywhere
 * @param modified when the content was last changed
 * @param accessed the last access that any source reports; empty if none has reported one (access
 *     times may be switched off)
 * @param raidedTo the replication of the file under parity; empty if no parity protects the file
 * @param snapshotReplication the highest replication under which a snapshot holds the file: HDFS
 *     keeps that many replicas whatever the file itself says
 * @param further facts that only some sources know
 */
public record FileFacts(
    String path,
    long inodeId,
    long length,
    long blockSize,
    int blocks,
    int replication,
    Instant modified,
    Optional<Instant> accessed,
    String owner,
    String group,
    Set<Trait> traits,
    OptionalInt raidedTo,
    OptionalInt snapshotReplication,
    Further further) {

  /**
   * Facts that only some sources tell; each is empty if no source tells it.
   *
   * @param storagePolicy the one that counts for the file, its directories' included
   * @param belowSnapshots whether there are snapshots of a directory above it
   * @param accessRate how often it is opened; also empty for a file that was never seen to be
   *     opened by a source that counts
   * @param reheatedAt when it last got its replicas back for being read again
   */
  public record Further(
      Optional<HdfsStoragePolicy> storagePolicy,
      Optional<Boolean> belowSnapshots,
      Optional<AccessRate> accessRate,
      Optional<Instant> reheatedAt) {
    public static final Further NOTHING =
        new Further(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** A property that some files have. */
  public enum Trait {
    /** Open for writing. */
    UNDER_CONSTRUCTION,
    /** Has an erasure coding policy of HDFS itself. */
    STRIPED,
    /** Lies in an encryption zone; its parity is over the ciphertext. */
    ENCRYPTED,
    /** An operator has unraided the file. No policy raids it again until an operator does. */
    UNRAIDED_BY_OPERATOR
  }

  /** Least recently used first; among equals the older inode, so that the order is total. */
  public static final Comparator<FileFacts> COLDEST_FIRST =
      Comparator.comparing(FileFacts::lastUsed).thenComparingLong(FileFacts::inodeId);

  public FileFacts {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("A file's path must be absolute, but is '" + path + "'");
    }
    if (length < 0
        || blockSize < 1
        || blocks < 0
        || replication < 0
        || (length == 0 && blocks > 0)) {
      throw new IllegalArgumentException(
          "%s cannot have length=%d, blockSize=%d, blocks=%d, replication=%d"
              .formatted(path, length, blockSize, blocks, replication));
    }
    traits = traits.isEmpty() ? Set.of() : Set.copyOf(traits);
  }

  /** A closed, replicated, unprotected file outside snapshots, of full blocks and a tail. */
  public static FileFacts of(
      String path, long inodeId, long length, long blockSize, int replication, Instant modified) {
    return new FileFacts(
        path,
        inodeId,
        length,
        blockSize,
        Math.toIntExact(length / blockSize + (length % blockSize == 0 ? 0 : 1)),
        replication,
        modified,
        Optional.empty(),
        "",
        "",
        Set.of(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Further.NOTHING);
  }

  public FileFacts withAccess(Instant accessed) {
    return copy(Optional.of(accessed), owner, group, traits, raidedTo, snapshotReplication);
  }

  public FileFacts withoutAccess() {
    return copy(Optional.empty(), owner, group, traits, raidedTo, snapshotReplication);
  }

  public FileFacts withOwner(String owner, String group) {
    return copy(accessed, owner, group, traits, raidedTo, snapshotReplication);
  }

  public FileFacts with(Trait trait) {
    Set<Trait> more = EnumSet.of(trait);
    more.addAll(traits);
    return copy(accessed, owner, group, more, raidedTo, snapshotReplication);
  }

  public FileFacts without(Trait trait) {
    Set<Trait> fewer = EnumSet.noneOf(Trait.class);
    fewer.addAll(traits);
    fewer.remove(trait);
    return copy(accessed, owner, group, fewer, raidedTo, snapshotReplication);
  }

  public FileFacts withParity(int targetReplication) {
    return copy(
        accessed, owner, group, traits, OptionalInt.of(targetReplication), snapshotReplication);
  }

  public FileFacts withoutParity() {
    return copy(accessed, owner, group, traits, OptionalInt.empty(), snapshotReplication);
  }

  public FileFacts inSnapshot(int replication) {
    return copy(accessed, owner, group, traits, raidedTo, OptionalInt.of(replication));
  }

  /** What it would be once no snapshot holds it. */
  FileFacts withoutSnapshots() {
    return copy(accessed, owner, group, traits, raidedTo, OptionalInt.empty());
  }

  public FileFacts withReplication(int changed) {
    return new FileFacts(
        path,
        inodeId,
        length,
        blockSize,
        blocks,
        changed,
        modified,
        accessed,
        owner,
        group,
        traits,
        raidedTo,
        snapshotReplication,
        further);
  }

  public FileFacts withStoragePolicy(HdfsStoragePolicy policy) {
    return with(
        new Further(
            Optional.of(policy), further.belowSnapshots, further.accessRate, further.reheatedAt));
  }

  /** There are snapshots of a directory above it. */
  public FileFacts belowSnapshots() {
    return withSnapshotsAbove(true);
  }

  /** There are no snapshots of any directory above it. */
  public FileFacts outsideSnapshots() {
    return withSnapshotsAbove(false);
  }

  private FileFacts withSnapshotsAbove(boolean there) {
    return with(
        new Further(
            further.storagePolicy, Optional.of(there), further.accessRate, further.reheatedAt));
  }

  public FileFacts withAccessRate(AccessRate rate) {
    return with(
        new Further(
            further.storagePolicy, further.belowSnapshots, Optional.of(rate), further.reheatedAt));
  }

  public FileFacts withReheat(Instant at) {
    return with(
        new Further(
            further.storagePolicy, further.belowSnapshots, further.accessRate, Optional.of(at)));
  }

  public FileFacts with(Further told) {
    return new FileFacts(
        path,
        inodeId,
        length,
        blockSize,
        blocks,
        replication,
        modified,
        accessed,
        owner,
        group,
        traits,
        raidedTo,
        snapshotReplication,
        told);
  }

  private FileFacts copy(
      Optional<Instant> accessed,
      String owner,
      String group,
      Set<Trait> traits,
      OptionalInt raidedTo,
      OptionalInt snapshotReplication) {
    return new FileFacts(
        path,
        inodeId,
        length,
        blockSize,
        blocks,
        replication,
        modified,
        accessed,
        owner,
        group,
        traits,
        raidedTo,
        snapshotReplication,
        further);
  }

  /** Returns whether a directory above the file has snapshots; empty if unknown. */
  Optional<Boolean> isBelowSnapshots() {
    return snapshotReplication.isPresent() ? Optional.of(true) : further.belowSnapshots;
  }

  public boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** The last time that anybody is known to have read or written the file. */
  public Instant lastUsed() {
    return accessed.filter(modified::isBefore).orElse(modified);
  }

  /** Bytes on disks now: those of the replicas HDFS keeps, for the file or for a snapshot. */
  public long physicalBytes() {
    return physicalBytes(replication);
  }

  /** Bytes on disks if the file had this replication. */
  long physicalBytes(int replication) {
    return Math.multiplyExact(length, (long) Math.max(replication, snapshotReplication.orElse(0)));
  }
}
