package io.hdfsraid.drfs.hdfs;

import java.util.List;
import java.util.OptionalLong;

/**
 * The names below the root. Parity of inode <i>i</i> is {@code parity/<hex>/<i>}, where hex are the
 * three low hexadecimal digits of <i>i</i>: inode ids are given out in order, so the low digits
 * spread evenly over 4,096 directories and the high ones would not.
 */
record ParityPaths(String root) {

  /** The directories right below the root. */
  List<String> directories() {
    return List.of(parity(), root + "/tmp", root + "/group", quarantine());
  }

  String parity() {
    return root + "/parity";
  }

  String quarantine() {
    return root + "/quarantine";
  }

  String drafts() {
    return root + "/tmp";
  }

  String parityDirectory(long inode) {
    return parity() + "/" + digits(inode);
  }

  String parity(long inode) {
    return parityDirectory(inode) + "/" + inode;
  }

  String quarantineDirectory(long inode) {
    return quarantine() + "/" + digits(inode);
  }

  /** The parity's own inode id keeps several generations of one file apart. */
  String quarantined(long inode, long parityInode) {
    return quarantineDirectory(inode) + "/" + inode + "-" + parityInode;
  }

  private static String digits(long inode) {
    return "%03x".formatted(inode & 0xfff);
  }

  /** The inode id that a file below {@link #parity()} is named after; empty when it is not one. */
  static OptionalLong inodeOf(String name) {
    return name.matches("[1-9]\\d{0,18}") ? parse(name) : OptionalLong.empty();
  }

  /**
   * The inode id that a quarantined file is named after; empty when its name is not one of ours.
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
