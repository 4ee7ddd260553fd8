// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.Inode.Snapshots;
import io.hdfsraid.recency.rocksdb.RecordReader;
import io.hdfsraid.recency.rocksdb.RecordWriter;

/**
 * The formats of entries. There are many files, so their format is short: the version takes three
 * bits, usual values are left out, and numbers take as many bytes as they need.
 */
final class EntryFormats {
  private static final int FILE_VERSION = 1;
  private static final int DIRECTORY_VERSION = 1;
  private static final int LINK_VERSION = 1;

  private static final int VERSION_SHIFT = 5;
  private static final int STALE = 1;
  private static final int ASIDE = 2;
  private static final int COUNTED = 4;
  private static final int ODD_BLOCKS = 8;
  private static final int ACCESSED = 16;

  /** Access counts are stored in units of 1/256; rounding loses at most 0.2 % of one access. */
  private static final int PARTS = 256;

  private EntryFormats() {}

  /** Returns the count as it is after writing and reading it. */
  static float rounded(double accesses) {
    return (float) Math.round(accesses * PARTS) / PARTS;
  }

  static void write(FileEntry file, AttributeDictionary dictionary, RecordWriter out) {
    SharedAttributes shared = file.shared();
    boolean counted =
        file.accesses() != FileEntry.impliedAccesses(file.modified(), file.accessed());
    boolean odd = file.blocks() != FileEntry.blocks(file.length(), shared.blockSize());
    out.octet(
        (FILE_VERSION << VERSION_SHIFT)
            | (file.stale() ? STALE : 0)
            | (file.skipTag() != 0 ? ASIDE : 0)
            | (counted ? COUNTED : 0)
            | (odd ? ODD_BLOCKS : 0)
            | (file.accessed() != file.modified() ? ACCESSED : 0));
    out.signed(file.id() - file.parent()).unsigned(dictionary.code(shared)).signed(file.modified());
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
    if (file.skipTag() != 0) {
      out.octet(file.skipTag()).unsigned(file.epoch());
    }
    out.rest(file.name());
  }

  static FileEntry readFile(long id, RecordReader in, AttributeDictionary dictionary) {
    int head = in.octet();
    RecordReader.requireVersion(FILE_VERSION, head >>> VERSION_SHIFT);
    long parent = id - in.signed();
    SharedAttributes shared = dictionary.of(in.unsignedInt());
    long modified = in.signed();
    long accessed = (head & ACCESSED) != 0 ? modified + in.signed() : modified;
    long length = in.unsigned();
    int blocks =
        (head & ODD_BLOCKS) != 0 ? in.unsignedInt() : FileEntry.blocks(length, shared.blockSize());
    float accesses =
        (head & COUNTED) != 0
            ? (float) in.unsigned() / PARTS
            : FileEntry.impliedAccesses(modified, accessed);
    int skipTag = 0;
    int epoch = 0;
    if ((head & ASIDE) != 0) {
      skipTag = in.octet();
      epoch = in.unsignedInt();
    }
    return new FileEntry(
        id,
        parent,
        in.rest(),
        length,
        blocks,
        modified,
        accessed,
        shared,
        accesses,
        (head & STALE) != 0,
        skipTag,
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
    RecordReader.requireVersion(DIRECTORY_VERSION, in.octet());
    long parent = in.signed();
    String owner = in.text();
    String group = in.text();
    int policy = in.unsignedInt();
    Snapshots snapshots = snapshots(in.octet());
    return new DirectoryEntry(id, parent, in.rest(), owner, group, policy, snapshots);
  }

  static byte[] encode(LinkEntry link) {
    return new RecordWriter().octet(LINK_VERSION).signed(link.parent()).rest(link.name()).toBytes();
  }

  static LinkEntry readLink(long id, RecordReader in) {
    RecordReader.requireVersion(LINK_VERSION, in.octet());
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
