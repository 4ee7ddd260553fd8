// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What users have written, and may therefore read. */
final class Model {
  private final Map<String, ModelFile> files = new TreeMap<>();
  private final Map<String, byte[]> snapshot = new TreeMap<>();
  private final TreeSet<String> open = new TreeSet<>();
  private boolean hasSnapshot;

  /** A file. Whoever gets the bytes leaves them as they are. */
  static final class ModelFile {
    private final byte[] bytes;
    private final int wish;
    private final int most;

    /**
     * A file.
     *
     * @param wish the replication its user last asked for
     * @param most the highest it ever had by a user's wish: letting a file go may restore that
     */
    ModelFile(byte[] bytes, int wish, int most) {
      this.bytes = bytes;
      this.wish = wish;
      this.most = most;
    }

    byte[] bytes() {
      return bytes;
    }

    int wish() {
      return wish;
    }

    int most() {
      return most;
    }

    ModelFile with(byte[] content) {
      return new ModelFile(content, wish, most);
    }

    ModelFile withMost(int replication) {
      return new ModelFile(bytes, wish, Math.max(most, replication));
    }

    ModelFile withWish(int replication) {
      return new ModelFile(bytes, replication, Math.max(most, replication));
    }
  }

  List<String> paths() {
    return new ArrayList<>(files.keySet());
  }

  /** Files that nobody writes to. */
  List<String> closed() {
    return files.keySet().stream().filter(path -> !open.contains(path)).toList();
  }

  List<String> open() {
    return new ArrayList<>(open);
  }

  ModelFile file(String path) {
    return files.get(path);
  }

  boolean has(String path) {
    return files.containsKey(path);
  }

  void put(String path, ModelFile file) {
    files.put(path, file);
  }

  void remove(String path) {
    files.remove(path);
  }

  void opened(String path) {
    open.add(path);
  }

  void closed(String path) {
    open.remove(path);
  }

  boolean hasSnapshot() {
    return hasSnapshot;
  }

  void takeSnapshot() {
    files.forEach((path, file) -> snapshot.put(path, file.bytes()));
    hasSnapshot = true;
  }

  void dropSnapshot() {
    snapshot.clear();
    hasSnapshot = false;
  }

  Map<String, byte[]> snapshot() {
    return snapshot;
  }
}
