// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Inode;

/**
 * A file.
 *
 * @param accesses the decayed access count as of {@code accessed}, see {@link AccessDecay}
 * @param stale whether the attributes are in doubt: ask HDFS before they are used
 * @param skipTag why the file is not in the order of last use; 0 if it is
 * @param epoch the epoch in which the file was skipped, see {@link AccessOrder}; 0 if it is not
 */
record FileEntry(
    long id,
    long parent,
    String name,
    long length,
    int blocks,
    long modified,
    long accessed,
    SharedAttributes shared,
    float accesses,
    boolean stale,
    int skipTag,
    int epoch)
    implements Entry {

  static FileEntry of(Inode.File file, long parent) {
    FileAttributes attributes = file.attributes();
    return new FileEntry(
        file.id(),
        parent,
        file.name(),
        attributes.length(),
        attributes.blocks(),
        attributes.modified(),
        attributes.accessed(),
        SharedAttributes.of(attributes),
        impliedAccesses(attributes.modified(), attributes.accessed()),
        false,
        0,
        0);
  }

  /** Returns the access count of a file of which only the last access is known. */
  static float impliedAccesses(long modified, long accessed) {
    return accessed > modified ? 1 : 0;
  }

  /** Returns the number of blocks of a file whose blocks are full except the last. */
  static int blocks(long length, long blockSize) {
    return blockSize <= 0
        ? 0
        : Math.toIntExact(length / blockSize + (length % blockSize == 0 ? 0 : 1));
  }

  @Override
  public Type type() {
    return Type.FILE;
  }

  long lastUsed() {
    return Math.max(modified, accessed);
  }

  FileAttributes attributes(int inheritedPolicy) {
    return new FileAttributes(
        length,
        shared.blockSize(),
        blocks,
        shared.replication(),
        modified,
        accessed,
        shared.owner(),
        shared.group(),
        shared.storagePolicy() == 0 ? inheritedPolicy : shared.storagePolicy(),
        shared.traits());
  }

  @Override
  public FileEntry movedTo(long newParent, String newName) {
    return copy(id, newParent, newName, length, blocks, modified, accessed, shared, accesses, stale)
        .skip(skipTag, epoch);
  }

  @Override
  public FileEntry identified(long trueId) {
    return copy(trueId, parent, name, length, blocks, modified, accessed, shared, accesses, stale)
        .skip(skipTag, epoch);
  }

  /** Returns the file with another length, in blocks that are full except the last. */
  FileEntry resized(long newLength) {
    int newBlocks = blocks(newLength, shared.blockSize());
    return copy(id, parent, name, newLength, newBlocks, modified, accessed, shared, accesses, stale)
        .skip(skipTag, epoch);
  }

  FileEntry modifiedAt(long at) {
    return copy(id, parent, name, length, blocks, at, accessed, shared, accesses, stale)
        .skip(skipTag, epoch);
  }

  FileEntry of(SharedAttributes changed) {
    return copy(id, parent, name, length, blocks, modified, accessed, changed, accesses, stale)
        .skip(skipTag, epoch);
  }

  FileEntry markedStale() {
    return copy(id, parent, name, length, blocks, modified, accessed, shared, accesses, true)
        .skip(skipTag, epoch);
  }

  /** Returns the file after an access. */
  FileEntry readAt(long at, AccessDecay decay) {
    double counted =
        at > accessed
            ? 1 + (accesses == 0 ? 0 : accesses * decay.after(at - accessed))
            : accesses + decay.after(accessed - at);
    return used(Math.max(accessed, at), counted);
  }

  /**
   * Returns the file after HDFS recorded an access time. HDFS does not record each access, and an
   * audit log may have reported this one already, or has a reason not to.
   */
  FileEntry recordedAccess(long at, AccessDecay decay) {
    if (at <= accessed || !decay.isEvidence(at)) {
      return this;
    }
    boolean told = at - accessed < decay.precision().toMillis() && accesses > 0;
    return told || decay.eachIsReported()
        ? used(at, accesses * decay.after(at - accessed))
        : readAt(at, decay);
  }

  /**
   * Returns the file as HDFS shows it if the index did not know it before. An access before the
   * audit log begins may hide behind one that does not count.
   */
  FileEntry firstSeen(AccessDecay decay) {
    return decay.eachIsReported()
        ? used(Math.min(accessed, Math.max(modified, decay.reportedSince())), 0)
        : this;
  }

  /** Returns the file after a user set its access time, as a copy that preserves times does. */
  FileEntry accessedAt(long at) {
    return at == accessed ? this : used(at, at > accessed ? accesses : 0);
  }

  private FileEntry used(long at, double counted) {
    float rounded = EntryFormats.rounded(counted);
    return copy(id, parent, name, length, blocks, modified, at, shared, rounded, stale)
        .skip(skipTag, epoch);
  }

  /**
   * Returns the file with the accesses that only the index knows: {@code known} is the same file as
   * it was known before.
   */
  FileEntry remembering(FileEntry known, AccessDecay decay) {
    if (decay.eachIsReported()) {
      return known.recordedAccess(accessed, decay).usesOf(this);
    }
    if (known.accessed == accessed) {
      return used(accessed, Math.max(accesses, known.accesses));
    }
    return known.accessed > accessed
        ? used(known.accessed, known.accesses)
        : known.accesses == 0 ? this : known.recordedAccess(accessed, decay).usesOf(this);
  }

  private FileEntry usesOf(FileEntry file) {
    return file.used(accessed, accesses);
  }

  FileEntry skip(int tag, int inEpoch) {
    return tag == skipTag && inEpoch == epoch
        ? this
        : new FileEntry(
            id, parent, name, length, blocks, modified, accessed, shared, accesses, stale, tag,
            inEpoch);
  }

  FileEntry unskipped() {
    return skip(0, 0);
  }

  boolean isOpen() {
    return shared.traits().contains(Trait.UNDER_CONSTRUCTION);
  }

  /** Returns whether HDFS would show both alike, except for access times, which may come late. */
  boolean looksLike(FileEntry other) {
    return name.equals(other.name)
        && length == other.length
        && blocks == other.blocks
        && modified == other.modified
        && shared.equals(other.shared);
  }

  private static FileEntry copy(
      long id,
      long parent,
      String name,
      long length,
      int blocks,
      long modified,
      long accessed,
      SharedAttributes shared,
      float accesses,
      boolean stale) {
    return new FileEntry(
        id, parent, name, length, blocks, modified, accessed, shared, accesses, stale, 0, 0);
  }
}
