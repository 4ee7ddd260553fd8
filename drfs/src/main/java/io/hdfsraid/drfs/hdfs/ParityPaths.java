// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.parity.GroupId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The paths below the root. Parity of inode <i>i</i> is at {@code parity/<hex>/<i>}, where hex are
 * the three low hexadecimal digits of <i>i</i>. Inode ids are assigned in order, so the low digits
 * spread evenly over 4,096 directories and the high digits would not. Parity of group <i>g</i> is
 * at {@code group/<hh>/<g>}, where hh are two digits of its family. What a manifest has beyond the
 * attributes of its parity file is at {@code manifest/<inode id of the parity file>.<n>}.
 */
record ParityPaths(String root) {

  /** Returns the directories directly below the root. */
  List<String> directories() {
    return List.of(parity(), drafts(), group(), quarantine(), manifests());
  }

  String parity() {
    return root + "/parity";
  }

  String group() {
    return root + "/group";
  }

  String quarantine() {
    return root + "/quarantine";
  }

  String manifests() {
    return root + "/manifest";
  }

  /**
   * @param parityInode inode id of the parity file
   * @param piece from 1 on
   */
  String manifestPiece(long parityInode, int piece) {
    return manifests() + "/" + parityInode + "." + piece;
  }

  /** Returns the file that the single writer holds open. */
  String owner() {
    return root + "/owner";
  }

  /** Returns the directory of the audit; it exists only if the daemon keeps one on HDFS. */
  String audit() {
    return ParitySettings.auditDirectory(root);
  }

  String drafts() {
    return root + "/tmp";
  }

  /**
   * @param id of an inode or of a group
   */
  String parityDirectory(long id) {
    return GroupId.isGroup(id)
        ? group() + "/%02x".formatted(new GroupId(id).family() & 0xff)
        : parity() + "/" + digits(id);
  }

  String parity(long id) {
    return parityDirectory(id) + "/" + id;
  }

  String quarantineDirectory(long id) {
    return quarantine() + "/" + digits(GroupId.isGroup(id) ? new GroupId(id).family() : id);
  }

  /**
   * Returns the path in quarantine. The parity's own inode id distinguishes several generations of
   * one file.
   */
  String quarantined(long id, long parityInode) {
    return quarantineDirectory(id) + "/" + id + "-" + parityInode;
  }

  private static String digits(long number) {
    return "%03x".formatted(number & 0xfff);
  }

  /**
   * Returns the inode or group id in the name of a file below {@link #parity()} or {@link
   * #group()}; empty if the name is not an id.
   */
  static OptionalLong inodeOf(String name) {
    return name.matches("[1-9]\\d{0,18}") ? parse(name) : OptionalLong.empty();
  }

  /**
   * Returns the inode or group id in the name of a quarantined file; empty if the name does not
   * have the right form.
   */
  static OptionalLong quarantinedInodeOf(String name) {
    return name.matches("[1-9]\\d{0,18}-[1-9]\\d{0,18}")
        ? parse(name.substring(0, name.indexOf('-')))
        : OptionalLong.empty();
  }

  /** A piece of a manifest, numbered from 1 on. */
  record Piece(long parityInode, int number) {}

  /** Returns what a name below {@link #manifests()} names; empty if it has not the right form. */
  static Optional<Piece> pieceOf(String name) {
    if (!name.matches("[1-9]\\d{0,18}\\.[1-9]\\d{0,2}")) {
      return Optional.empty();
    }
    int dot = name.indexOf('.');
    OptionalLong parityInode = parse(name.substring(0, dot));
    return parityInode.isPresent()
        ? Optional.of(new Piece(parityInode.getAsLong(), Integer.parseInt(name.substring(dot + 1))))
        : Optional.empty();
  }

  private static OptionalLong parse(String digits) {
    try {
      return OptionalLong.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // 19 digits beyond the range of a long
    }
  }
}
