package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.namespace.Inode.Snapshots;

/**
 * How entries are written. Of files there are many: the version is three bits, what is usual is
 * left out, and times and lengths are as short as their values.
 */
final class Formats {
  private static final int FILE_VERSION = 1;
  private static final int DIRECTORY_VERSION = 1;
  private static final int LINK_VERSION = 1;

  private static final int VERSION_SHIFT = 5;
  private static final int STALE = 1;
  private static final int ASIDE = 2;
  private static final int COUNTED = 4;
  private static final int ODD_BLOCKS = 8;
  private static final int ACCESSED = 16;

  /**
   * Accesses are kept to a part of this: what is lost by rounding is a fifth of a percent of one.
   */
  private static final int PARTS = 256;

  private Formats() {}

  /** As it is read again when it has been written. */
  static float rounded(double accesses) {
    return (float) Math.round(accesses * PARTS) / PARTS;
  }

  static void write(FileEntry file, Kinds kinds, RecordWriter out) {
    Kind kind = file.kind();
    boolean counted =
        file.accesses() != FileEntry.impliedAccesses(file.modified(), file.accessed());
    boolean odd = file.blocks() != FileEntry.blocks(file.length(), kind.blockSize());
    out.octet(
        (FILE_VERSION << VERSION_SHIFT)
            | (file.stale() ? STALE : 0)
            | (file.aside() != 0 ? ASIDE : 0)
            | (counted ? COUNTED : 0)
            | (odd ? ODD_BLOCKS : 0)
            | (file.accessed() != file.modified() ? ACCESSED : 0));
    out.signed(file.id() - file.parent()).unsigned(kinds.code(kind)).signed(file.modified());
    if (file.accessed() != file.modified()) {
      out.signed(file.accessed() - file.modified());
    }
    out.unsigned(file.length());
    if (odd) {
      out.unsigned(file.blocks());
    }
    if (counted) {
      out.unsigned(Math.round((double) file.accesses() * PARTS));
    }
    if (file.aside() != 0) {
      out.octet(file.aside()).unsigned(file.epoch());
    }
    out.rest(file.name());
  }

  static FileEntry readFile(long id, RecordReader in, Kinds kinds) {
    int head = in.octet();
    Versions.require(FILE_VERSION, head >>> VERSION_SHIFT);
    long parent = id - in.signed();
    Kind kind = kinds.of(in.small());
    long modified = in.signed();
    long accessed = (head & ACCESSED) != 0 ? modified + in.signed() : modified;
    long length = in.unsigned();
    int blocks = (head & ODD_BLOCKS) != 0 ? in.small() : FileEntry.blocks(length, kind.blockSize());
    float accesses =
        (head & COUNTED) != 0
            ? (float) in.unsigned() / PARTS
            : FileEntry.impliedAccesses(modified, accessed);
    int aside = 0;
    int epoch = 0;
    if ((head & ASIDE) != 0) {
      aside = in.octet();
      epoch = in.small();
    }
    return new FileEntry(
        id,
        parent,
        in.rest(),
        length,
        blocks,
        modified,
        accessed,
        kind,
        accesses,
        (head & STALE) != 0,
        aside,
        epoch);
  }

  static byte[] encode(DirectoryEntry directory) {
    return new RecordWriter()
        .octet(DIRECTORY_VERSION)
        .signed(directory.parent())
        .text(directory.owner())
        .text(directory.group())
        .unsigned(directory.storagePolicy())
        .octet(tag(directory.snapshots()))
        .rest(directory.name())
        .toBytes();
  }

  static DirectoryEntry readDirectory(long id, RecordReader in) {
    Versions.require(DIRECTORY_VERSION, in.octet());
    long parent = in.signed();
    String owner = in.text();
    String group = in.text();
    int policy = in.small();
    Snapshots snapshots = snapshots(in.octet());
    return new DirectoryEntry(id, parent, in.rest(), owner, group, policy, snapshots);
  }

  static byte[] encode(LinkEntry link) {
    return new RecordWriter().octet(LINK_VERSION).signed(link.parent()).rest(link.name()).toBytes();
  }

  static LinkEntry readLink(long id, RecordReader in) {
    Versions.require(LINK_VERSION, in.octet());
    return new LinkEntry(id, in.signed(), in.rest());
  }

  private static int tag(Snapshots snapshots) {
    return switch (snapshots) {
      case FORBIDDEN -> 0;
      case NONE -> 1;
      case TAKEN -> 2;
    };
  }

  private static Snapshots snapshots(int tag) {
    for (Snapshots snapshots : Snapshots.values()) {
      if (tag(snapshots) == tag) {
        return snapshots;
      }
    }
    throw new IllegalArgumentException("no state of snapshots has the tag " + tag);
  }
}
