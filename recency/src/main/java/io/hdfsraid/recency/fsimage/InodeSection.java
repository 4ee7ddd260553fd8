// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Image.Visitor;
import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the inodes of an image: files, directories, symbolic links. */
final class InodeSection {
  /** The extended attribute of a file in an encryption zone. */
  static final String ENCRYPTION = "raw.hdfs.crypto.file.encryption.info";

  /** The extended attribute of a directory with a storage policy; a file has a field for it. */
  static final String STORAGE_POLICY = "system.hsm.block.storage.policy.id";

  /** The prefix of our own extended attributes. */
  static final String OURS = "user.raid.";

  static final int FILE = 1;
  static final int DIRECTORY = 2;
  static final int SYMLINK = 3;
  static final int STRIPED = 1;

  private static final int OPEN_BIT = 1;
  private static final int STRIPED_BIT = 2;
  private static final int ENCRYPTED_BIT = 4;

  private static final List<Set<Trait>> TRAITS = traits();

  private final StringTable strings;
  private final SnapshotTable snapshots;
  private final MessageReader messages;
  private final Head head;
  private final InodeBits known;
  private final Visitor visitor;

  // The present inode.
  private int seen;
  private long modified;
  private long accessed;
  private long blockSize;
  private int replication;
  private long rights;
  private int blocks;
  private long length;

  /** Of the longest block. */
  private long longest;

  private int storagePolicy;
  private int traits;
  private Map<String, byte[]> marks = Map.of();

  /**
   * The header of the section.
   *
   * @param last the highest inode id that was ever used
   */
  record Head(long last, long inodes) {}

  private InodeSection(
      StringTable strings,
      SnapshotTable snapshots,
      MessageReader messages,
      Head head,
      InodeBits known,
      Visitor visitor) {
    this.strings = strings;
    this.snapshots = snapshots;
    this.messages = messages;
    this.head = head;
    this.known = known;
    this.visitor = visitor;
  }

  static Head head(MessageReader messages) throws IOException {
    if (!messages.next()) {
      throw messages.damaged("the section is empty");
    }
    long last = 0;
    long inodes = 0;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      switch (tag) {
        case 1 << 3 | WireType.VARINT -> last = messages.number();
        case 2 << 3 | WireType.VARINT -> inodes = messages.number();
        default -> above = messages.skip(tag, 2);
      }
    }
    messages.end();
    if (inodes < 1 || last < Inode.ROOT || inodes > last - Inode.ROOT + 1) {
      throw messages.damaged("%d inodes, the last of number %d".formatted(inodes, last));
    }
    return new Head(last, inodes);
  }

  /** Passes all inodes to the visitor; returns the set of their ids. */
  static InodeBits read(
      StringTable strings, SnapshotTable snapshots, MessageReader messages, Visitor visitor)
      throws IOException {
    Head head = head(messages);
    InodeBits known = new InodeBits(head.last, head.inodes);
    new InodeSection(strings, snapshots, messages, head, known, visitor).all();
    return known;
  }

  /** Reads only the inode id of a message that is the value of a field. */
  static long number(MessageReader messages) throws IOException {
    int outer = messages.enter();
    long id = 0;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      if (tag == (2 << 3 | WireType.VARINT)) {
        id = messages.number();
      } else {
        messages.pass(tag);
      }
    }
    messages.leave(outer);
    return id;
  }

  private void all() throws IOException {
    for (long i = 0; i < head.inodes; i++) {
      if (!messages.next()) {
        throw messages.damaged("it ends after %d inodes of %d".formatted(i, head.inodes));
      }
      inode();
    }
    if (messages.next()) {
      throw messages.damaged("it goes on after %d inodes".formatted(head.inodes));
    }
    if (!known.hasInode(Inode.ROOT)) {
      throw messages.damaged("there is no root directory");
    }
  }

  private void inode() throws IOException {
    long type = 0;
    long id = 0;
    long content = 0;
    String name = null;
    int above = 0;
    forget();
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      switch (tag) {
        case 1 << 3 | WireType.VARINT -> type = messages.number();
        case 2 << 3 | WireType.VARINT -> id = messages.number();
        case 3 << 3 | WireType.BYTES -> name = messages.text();
        case 4 << 3 | WireType.BYTES -> {
          content = FILE;
          file();
        }
        case 5 << 3 | WireType.BYTES -> {
          content = DIRECTORY;
          directory();
        }
        case 6 << 3 | WireType.BYTES -> {
          content = SYMLINK;
          symlink();
        }
        default -> above = messages.skip(tag, 6);
      }
    }
    messages.end();
    if (type != content) {
      throw messages.damaged(
          "inode %d is of type %d and has what type %d has".formatted(id, type, content));
    }
    if (id < Inode.ROOT || id > head.last || !known.addInode(id)) {
      throw messages.damaged(
          "inode %d comes twice, or is not between %d and %d".formatted(id, Inode.ROOT, head.last));
    }
    if (name == null
        || name.isEmpty() != (id == Inode.ROOT)
        || name.indexOf('/') >= 0
        || (id == Inode.ROOT && type != DIRECTORY)) {
      throw messages.damaged("inode %d, of type %d, is named '%s'".formatted(id, type, name));
    }
    tell((int) type, id, name);
  }

  private void forget() {
    seen = 0;
    modified = 0;
    accessed = 0;
    blockSize = 0;
    replication = 0;
    rights = 0;
    blocks = 0;
    length = 0;
    longest = 0;
    storagePolicy = 0;
    traits = 0;
    marks = Map.of();
  }

  private void tell(int type, long id, String name) throws IOException {
    StringTable.Owner owner = strings.owner(rights, messages);
    switch (type) {
      case FILE -> {
        Inode.File file =
            new Inode.File(
                id,
                name,
                new FileAttributes(
                    length,
                    blockSize,
                    blocks,
                    replication,
                    modified,
                    accessed,
                    owner.user(),
                    owner.group(),
                    storagePolicy,
                    TRAITS.get(traits)));
        if (marks.isEmpty()) {
          visitor.inode(file);
        } else {
          visitor.inode(file, marks);
        }
      }
      case DIRECTORY ->
          visitor.inode(
              new Inode.Directory(
                  id, name, owner.user(), owner.group(), storagePolicy, snapshots.of(id)));
      default -> visitor.inode(new Inode.Symlink(id, name));
    }
  }

  private void file() throws IOException {
    int outer = messages.enter();
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      seen |= 1 << Math.min(above, Integer.SIZE - 1);
      switch (tag) {
        case 1 << 3 | WireType.VARINT -> replication = messages.smallNumber("a replication");
        case 2 << 3 | WireType.VARINT -> modified = messages.number();
        case 3 << 3 | WireType.VARINT -> accessed = messages.number();
        case 4 << 3 | WireType.VARINT -> blockSize = messages.size("a block size");
        case 5 << 3 | WireType.FIXED64 -> rights = messages.fixed64();
        case 6 << 3 | WireType.BYTES -> {
          block();
          above--;
        }
        case 7 << 3 | WireType.BYTES -> {
          traits |= OPEN_BIT;
          messages.pass(tag);
        }
        case 8 << 3 | WireType.BYTES -> messages.pass(tag);
        case 9 << 3 | WireType.BYTES -> attributes();
        case 10 << 3 | WireType.VARINT -> storagePolicy = messages.smallNumber("a storage policy");
        case 11 << 3 | WireType.VARINT -> {
          long type = messages.number();
          if (type == STRIPED) {
            traits |= STRIPED_BIT;
          } else if (type != 0) {
            throw messages.damaged("the blocks are of type %d".formatted(type));
          }
        }
        case 12 << 3 | WireType.VARINT -> messages.pass(tag);
        default -> above = messages.skip(tag, 12);
      }
    }
    messages.leave(outer);
    int striped = traits & STRIPED_BIT;
    require("a file", striped == 0 ? 0b111110 : 0b111100);
    if (striped != 0) {
      replication = 0;
    } else if (longest > blockSize) {
      throw messages.damaged(
          "a block has %d bytes, and blocks of its file have at most %d"
              .formatted(longest, blockSize));
    }
  }

  private void require(String what, int fields) throws IOException {
    if ((seen & fields) != fields) {
      throw messages.damaged(
          "%s lacks fields of the set %s".formatted(what, Integer.toBinaryString(fields & ~seen)));
    }
  }

  private void block() throws IOException {
    int outer = messages.enter();
    int parts = 0;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      switch (tag) {
        case 1 << 3 | WireType.VARINT, 2 << 3 | WireType.VARINT -> {
          long unused = messages.number();
          parts++;
        }
        case 3 << 3 | WireType.VARINT -> {
          long size = messages.size("the length of a block");
          length += size;
          longest = Math.max(longest, size);
          parts++;
        }
        default -> above = messages.skip(tag, 3);
      }
    }
    messages.leave(outer);
    blocks++;
    if (parts != 3 || length < 0) {
      throw messages.damaged(
          "of a block, %d of 3 parts are there; with it, the file has %d bytes"
              .formatted(parts, length));
    }
  }

  private void directory() throws IOException {
    int outer = messages.enter();
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      seen |= 1 << Math.min(above, Integer.SIZE - 1);
      switch (tag) {
        case 1 << 3 | WireType.VARINT,
            2 << 3 | WireType.VARINT,
            3 << 3 | WireType.VARINT,
            5 << 3 | WireType.BYTES,
            7 << 3 | WireType.BYTES ->
            messages.pass(tag);
        case 4 << 3 | WireType.FIXED64 -> rights = messages.fixed64();
        case 6 << 3 | WireType.BYTES -> attributes();
        default -> above = messages.skip(tag, 7);
      }
    }
    messages.leave(outer);
    require("a directory", 0b10010);
  }

  private void symlink() throws IOException {
    int outer = messages.enter();
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      seen |= 1 << Math.min(above, Integer.SIZE - 1);
      switch (tag) {
        case 1 << 3 | WireType.FIXED64 -> rights = messages.fixed64();
        case 2 << 3 | WireType.BYTES, 3 << 3 | WireType.VARINT, 4 << 3 | WireType.VARINT ->
            messages.pass(tag);
        default -> above = messages.skip(tag, 4);
      }
    }
    messages.leave(outer);
    require("a symbolic link", 0b110);
  }

  private void attributes() throws IOException {
    int outer = messages.enter();
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      if (tag == (1 << 3 | WireType.BYTES)) {
        attribute();
        above--;
      } else {
        above = messages.skip(tag, 1);
      }
    }
    messages.leave(outer);
  }

  private void attribute() throws IOException {
    int outer = messages.enter();
    String name = null;
    byte[] value = new byte[0];
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      switch (tag) {
        case 1 << 3 | WireType.FIXED32 -> name = strings.attribute(messages.fixed32(), messages);
        case 2 << 3 | WireType.BYTES -> {
          if (name != null && (name.startsWith(OURS) || name.equals(STORAGE_POLICY))) {
            value = messages.bytes();
          } else {
            messages.pass(tag);
          }
        }
        default -> above = messages.skip(tag, 2);
      }
    }
    messages.leave(outer);
    if (name == null) {
      throw messages.damaged("an extended attribute has no name");
    }
    take(name, value);
  }

  private void take(String name, byte[] value) throws IOException {
    if (name.equals(ENCRYPTION)) {
      traits |= ENCRYPTED_BIT;
    } else if (name.equals(STORAGE_POLICY)) {
      if (value.length != 1) {
        throw messages.damaged("a storage policy is of %d bytes".formatted(value.length));
      }
      storagePolicy = value[0];
    } else if (name.startsWith(OURS)) {
      if (marks.isEmpty()) {
        marks = new HashMap<>();
      }
      marks.put(name, value);
    }
  }

  private static List<Set<Trait>> traits() {
    List<Set<Trait>> all = new ArrayList<>();
    for (int bits = 0; bits < 8; bits++) {
      Set<Trait> traits = EnumSet.noneOf(Trait.class);
      if ((bits & OPEN_BIT) != 0) {
        traits.add(Trait.UNDER_CONSTRUCTION);
      }
      if ((bits & STRIPED_BIT) != 0) {
        traits.add(Trait.STRIPED);
      }
      if ((bits & ENCRYPTED_BIT) != 0) {
        traits.add(Trait.ENCRYPTED);
      }
      all.add(Set.copyOf(traits));
    }
    return List.copyOf(all);
  }
}
