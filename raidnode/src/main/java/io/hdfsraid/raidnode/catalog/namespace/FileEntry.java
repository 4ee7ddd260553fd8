package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.raidnode.namespace.FileAttributes;
import io.hdfsraid.raidnode.namespace.Inode;

/**
 * A file.
 *
 * @param accesses what they amount to at {@code accessed}, see {@link Smoothing}
 * @param stale what is said here is doubtful and has to be asked for before it is used
 * @param aside why it is not in the order of last use: a tag of who set it aside; 0 when it is
 * @param epoch when it was set aside, see {@link Order}; 0 when it is not
 */
record FileEntry(
    long id,
    long parent,
    String name,
    long length,
    int blocks,
    long modified,
    long accessed,
    Kind kind,
    float accesses,
    boolean stale,
    int aside,
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
        Kind.of(attributes),
        impliedAccesses(attributes.modified(), attributes.accessed()),
        false,
        0,
        0);
  }

  /** What is to be thought of accesses of which only the last one is known. */
  static float impliedAccesses(long modified, long accessed) {
    return accessed > modified ? 1 : 0;
  }

  /** How many blocks a file has of which all but the last are full. */
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
        kind.blockSize(),
        blocks,
        kind.replication(),
        modified,
        accessed,
        kind.owner(),
        kind.group(),
        kind.storagePolicy() == 0 ? inheritedPolicy : kind.storagePolicy(),
        kind.traits());
  }

  @Override
  public FileEntry movedTo(long newParent, String newName) {
    return copy(id, newParent, newName, length, blocks, modified, accessed, kind, accesses, stale)
        .setAside(aside, epoch);
  }

  @Override
  public FileEntry identified(long trueId) {
    return copy(trueId, parent, name, length, blocks, modified, accessed, kind, accesses, stale)
        .setAside(aside, epoch);
  }

  /** Its content is of this length now, in blocks that are full but for the last. */
  FileEntry resized(long newLength) {
    int newBlocks = blocks(newLength, kind.blockSize());
    return copy(id, parent, name, newLength, newBlocks, modified, accessed, kind, accesses, stale)
        .setAside(aside, epoch);
  }

  FileEntry modifiedAt(long at) {
    return copy(id, parent, name, length, blocks, at, accessed, kind, accesses, stale)
        .setAside(aside, epoch);
  }

  FileEntry of(Kind changed) {
    return copy(id, parent, name, length, blocks, modified, accessed, changed, accesses, stale)
        .setAside(aside, epoch);
  }

  FileEntry doubtful() {
    return copy(id, parent, name, length, blocks, modified, accessed, kind, accesses, true)
        .setAside(aside, epoch);
  }

  /** It was read. */
  FileEntry readAt(long at, Smoothing smoothing) {
    double counted =
        at > accessed
            ? 1 + (accesses == 0 ? 0 : accesses * smoothing.after(at - accessed))
            : accesses + smoothing.after(accessed - at);
    return used(Math.max(accessed, at), counted);
  }

  /**
   * HDFS has recorded this access time. It does so once in a while and not for each access, and
   * others may have told of that access already.
   */
  FileEntry recordedAccess(long at, Smoothing smoothing) {
    if (at <= accessed) {
      return this;
    }
    boolean told = at - accessed < smoothing.precision().toMillis() && accesses > 0;
    return told || smoothing.eachIsTold()
        ? used(at, accesses * smoothing.after(at - accessed))
        : readAt(at, smoothing);
  }

  /** As HDFS shows it, when nothing was known of it before. */
  FileEntry firstSeen(Smoothing smoothing) {
    return smoothing.eachIsTold() ? used(accessed, 0) : this;
  }

  /**
   * Somebody wants it to have been read last at this time, as who copies files with their times.
   */
  FileEntry accessedAt(long at) {
    return at == accessed ? this : used(at, at > accessed ? accesses : 0);
  }

  private FileEntry used(long at, double counted) {
    float rounded = Formats.rounded(counted);
    return copy(id, parent, name, length, blocks, modified, at, kind, rounded, stale)
        .setAside(aside, epoch);
  }

  /** With what only this index knows: {@code known} is the same file as it was known before. */
  FileEntry remembering(FileEntry known, Smoothing smoothing) {
    if (smoothing.eachIsTold()) {
      return known.recordedAccess(accessed, smoothing).usesOf(this);
    }
    if (known.accessed == accessed) {
      return used(accessed, Math.max(accesses, known.accesses));
    }
    return known.accessed > accessed
        ? used(known.accessed, known.accesses)
        : known.accesses == 0 ? this : known.recordedAccess(accessed, smoothing).usesOf(this);
  }

  private FileEntry usesOf(FileEntry file) {
    return file.used(accessed, accesses);
  }

  FileEntry setAside(int tag, int inEpoch) {
    return tag == aside && inEpoch == epoch
        ? this
        : new FileEntry(
            id, parent, name, length, blocks, modified, accessed, kind, accesses, stale, tag,
            inEpoch);
  }

  FileEntry ranked() {
    return setAside(0, 0);
  }

  boolean isOpen() {
    return kind.traits().contains(Trait.UNDER_CONSTRUCTION);
  }

  /** Whether HDFS would tell the same of both; but for access times, which may be told late. */
  boolean looksLike(FileEntry other) {
    return name.equals(other.name)
        && length == other.length
        && blocks == other.blocks
        && modified == other.modified
        && kind.equals(other.kind);
  }

  private static FileEntry copy(
      long id,
      long parent,
      String name,
      long length,
      int blocks,
      long modified,
      long accessed,
      Kind kind,
      float accesses,
      boolean stale) {
    return new FileEntry(
        id, parent, name, length, blocks, modified, accessed, kind, accesses, stale, 0, 0);
  }
}
