// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A file that is read while it changes. One thread changes it, others read it. */
final class ReadFile {
  private final long inode;
  private final String codec;
  private final byte[] content;
  private volatile String path;
  private volatile boolean moving;
  private final AtomicInteger length;
  private boolean damaged;

  /**
   * @param content of the file, and of what will be appended to it
   */
  ReadFile(String path, long inode, String codec, byte[] content, int length) {
    this.path = path;
    this.inode = inode;
    this.codec = codec;
    this.content = content;
    this.length = new AtomicInteger(length);
  }

  String path() {
    return path;
  }

  long inode() {
    return inode;
  }

  String codec() {
    return codec;
  }

  byte[] content() {
    return content;
  }

  /** Returns a length that the file has at least. */
  int length() {
    return length.get();
  }

  boolean isDamaged() {
    return damaged;
  }

  void damaged() {
    damaged = true;
  }

  void repaired() {
    damaged = false;
  }

  void appended(int bytes) {
    var unused = length.addAndGet(bytes);
  }

  /** A rename of a file in HDFS. */
  interface Rename {
    void run() throws IOException;
  }

  void rename(String to, Rename rename) throws IOException {
    moving = true;
    rename.run();
    path = to;
    moving = false;
  }

  /** Whether the file has been at this path all the time since it was found there. */
  boolean stayedAt(String then) {
    return !moving && path.equals(then);
  }
}
