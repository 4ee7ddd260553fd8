// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import io.hdfsraid.recency.fsimage.FsImage;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What an image has told. */
record ReadImage(
    long transaction,
    Map<Long, Inode> inodes,
    Map<Long, Long> places,
    Map<Long, Map<String, Integer>> marks) {

  static ReadImage of(Path file) throws IOException {
    FsImage image = FsImage.open(file);
    ReadImage read =
        new ReadImage(image.transaction(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    image.read(read.new Listener());
    return read;
  }

  private final class Listener implements Image.Visitor {
    @Override
    public void inode(Inode inode) {
      Inode before = inodes.put(inode.id(), inode);
      if (before != null) {
        throw new AssertionError("%s after %s".formatted(inode, before));
      }
    }

    @Override
    public void inode(Inode.File file, Map<String, byte[]> attributes) {
      inode(file);
      Map<String, Integer> lengths = new TreeMap<>();
      attributes.forEach((name, value) -> lengths.put(name, value.length));
      marks.put(file.id(), lengths);
    }

    @Override
    public void place(long child, long parent) {
      Long before = places.put(child, parent);
      if (before != null) {
        throw new AssertionError("%d in %d, after %d".formatted(child, parent, before));
      }
    }
  }

  /** The inodes that have a path, by it. */
  Map<String, Inode> byPath() {
    Map<String, Inode> paths = new TreeMap<>();
    inodes.forEach((id, inode) -> path(id).ifPresent(path -> paths.put(path, inode)));
    return paths;
  }

  private Optional<String> path(long id) {
    if (id == Inode.ROOT) {
      return Optional.of("");
    }
    return Optional.ofNullable(places.get(id))
        .flatMap(this::path)
        .map(parent -> parent + "/" + inodes.get(id).name());
  }
}
