package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.parity.GroupId;
import java.util.List;
import java.util.OptionalLong;

/**
 * The names below the root. Parity of inode <i>i</i> is {@code parity/<hex>/<i>}, where hex are the
 * three low hexadecimal digits of <i>i</i>: inode ids are given out in order, so the low digits
 * spread evenly over 4,096 directories and the high ones would not. Parity of group <i>g</i> is
 * {@code group/<hh>/<g>}, where hh are two digits of its family.
 */
record ParityPaths(String root) {

  /** The directories right below the root. */
  List<String> directories() {
    return List.of(parity(), root + "/tmp", group(), quarantine());
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

  /** The file that the one writer holds open. */
  String owner() {
    return root + "/owner";
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

  /** The parity's own inode id keeps several generations of one file apart. */
  String quarantined(long id, long parityInode) {
    return quarantineDirectory(id) + "/" + id + "-" + parityInode;
  }

  private static String digits(long number) {
    return "%03x".formatted(number & 0xfff);
  }

  /**
   * The inode or group id that a file below {@link #parity()} or {@link #group()} is named after;
   * empty when it is not one.
   */
  static OptionalLong inodeOf(String name) {
    return name.matches("[1-9]\\d{0,18}") ? parse(name) : OptionalLong.empty();
  }

  /**
   * The inode or group id that a quarantined file is named after; empty when its name is not one of
   * ours.
   */
  static OptionalLong quarantinedInodeOf(String name) {
    return name.matches("[1-9]\\d{0,18}-[1-9]\\d{0,18}")
        ? parse(name.substring(0, name.indexOf('-')))
        : OptionalLong.empty();
  }

  private static OptionalLong parse(String digits) {
    try {
      return OptionalLong.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // 19 digits beyond the range of a long
    }
  }
}
