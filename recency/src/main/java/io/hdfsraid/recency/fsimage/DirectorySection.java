// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import io.hdfsraid.recency.namespace.Image.Visitor;
import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;

/** Reads the section that says which inode is in which directory. */
final class DirectorySection {
  private final ReferenceTable references;
  private final InodeBits known;
  private final MessageReader messages;
  private final Visitor visitor;
  private long parent;
  private long places;

  private DirectorySection(
      ReferenceTable references, InodeBits known, MessageReader messages, Visitor visitor) {
    this.references = references;
    this.known = known;
    this.messages = messages;
    this.visitor = visitor;
  }

  /** Passes all places to the visitor; returns their number. */
  static long read(
      ReferenceTable references, InodeBits known, MessageReader messages, Visitor visitor)
      throws IOException {
    DirectorySection section = new DirectorySection(references, known, messages, visitor);
    while (messages.next()) {
      section.directory();
    }
    return section.places;
  }

  private void directory() throws IOException {
    parent = 0;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      switch (tag) {
        case 1 << 3 | WireType.VARINT -> parent = requireInode(messages.number());
        case 2 << 3 | WireType.BYTES -> {
          int outer = messages.enter();
          while (messages.left() > 0) {
            child(messages.number());
          }
          messages.leave(outer);
        }
        case 2 << 3 | WireType.VARINT -> {
          child(messages.number());
          above--;
        }
        case 3 << 3 | WireType.BYTES -> {
          int outer = messages.enter();
          while (messages.left() > 0) {
            child(references.inode(messages.smallNumber("a reference"), messages));
          }
          messages.leave(outer);
        }
        case 3 << 3 | WireType.VARINT -> {
          child(references.inode(messages.smallNumber("a reference"), messages));
          above--;
        }
        default -> above = messages.skip(tag, 3);
      }
    }
    messages.end();
  }

  private void child(long child) throws IOException {
    if (parent == 0) {
      throw messages.damaged("inode %d is in no directory".formatted(child));
    }
    if (child == Inode.ROOT || child == parent || !known.addChild(requireInode(child))) {
      throw messages.damaged(
          "inode %d cannot be in directory %d: it has a place already or is the root"
              .formatted(child, parent));
    }
    places++;
    visitor.place(child, parent);
  }

  private long requireInode(long number) throws IOException {
    if (!known.hasInode(number)) {
      throw messages.damaged(
          "%d is to be in a directory, or is one, and is no inode of section %s"
              .formatted(number, ImageSection.INODES));
    }
    return number;
  }
}
