// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/** Namespaces to write and to read. */
final class Samples {
  static final long TRANSACTION = 4_711;
  private static final long BLOCK = 128L << 20;

  private Samples() {}

  /** Some of everything that an inode can be. */
  static void everything(Image.Visitor image) {
    long id = Inode.ROOT;
    image.inode(new Inode.Directory(id, "", "hdfs", "supergroup", 0, Snapshots.NONE));
    image.inode(new Inode.Directory(id + 1, "archive", "etl", "analysts", 2, Snapshots.TAKEN));
    image.inode(new Inode.Directory(id + 2, "größe 大きさ 📦", "etl", "etl", 0, Snapshots.FORBIDDEN));
    image.inode(file(id + 3, "whole", 2 * BLOCK, 2, 3, Set.of()));
    image.inode(file(id + 4, "with a tail", 2 * BLOCK + 5, 3, 3, Set.of()));
    image.inode(file(id + 5, "empty", 0, 0, 1, Set.of()));
    image.inode(file(id + 6, "open", 77, 1, 2, Set.of(Trait.UNDER_CONSTRUCTION)));
    image.inode(file(id + 7, "striped", 5 * BLOCK, 1, 0, Set.of(Trait.STRIPED)));
    image.inode(file(id + 8, "secret", 9, 1, 3, Set.of(Trait.ENCRYPTED)));
    image.inode(file(id + 9, "concatenated", 100, 7, 3, Set.of()));
    image.inode(
        file(id + 10, "parity", BLOCK, 1, 1, Set.of()),
        Map.of(
            "user.raid.manifest.0", bytes("first"),
            "user.raid.manifest.1", bytes("second"),
            "user.raid.phase", bytes("reduced")));
    image.inode(new Inode.Symlink(id + 11, "link"));
    image.inode(file(id + 12, "x".repeat(255), 1, 1, 3, Set.of()));
    image.inode(
        new Inode.Directory(id + 13, "held by a snapshot only", "a", "b", 0, Snapshots.FORBIDDEN));
    image.place(id + 1, id);
    image.place(id + 2, id);
    image.place(id + 11, id);
    for (int i = 3; i <= 8; i++) {
      image.place(id + i, id + 1);
    }
    image.place(id + 9, id + 2);
    image.place(id + 10, id + 2);
    image.place(id + 12, id + 13);
  }

  /** Directories with files in them, and no snapshot. */
  static void plain(Image.Visitor image, int directories, int filesInEach) {
    long id = Inode.ROOT;
    image.inode(new Inode.Directory(id, "", "hdfs", "supergroup", 0, Snapshots.FORBIDDEN));
    long next = id + 1;
    for (int d = 0; d < directories; d++) {
      long directory = next++;
      image.inode(
          new Inode.Directory(directory, "d" + d, "user" + d % 7, "users", 0, Snapshots.FORBIDDEN));
      image.place(directory, id);
      for (int f = 0; f < filesInEach; f++) {
        image.inode(file(next, "part-%05d.parquet".formatted(f), BLOCK + f, 2, 3, Set.of()));
        image.place(next++, directory);
      }
    }
  }

  private static Inode.File file(
      long id, String name, long length, int blocks, int replication, Set<Trait> traits) {
    return new Inode.File(
        id,
        name,
        new FileAttributes(
            length,
            BLOCK,
            blocks,
            replication,
            1_700_000_000_000L + id,
            1_710_000_000_000L + id,
            "owner" + id % 3,
            "group" + id % 2,
            id % 4 == 0 ? 7 : 0,
            traits));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
