// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How fast images are written and read: a program, for its figures depend on what else the machine
 * does. Give it a file to write and a number of directories, of a thousand files each.
 */
final class ReadingRate {
  private ReadingRate() {}

  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    long begin = System.nanoTime();
    try (FsImageWriter writer = new FsImageWriter(file, 1)) {
      Samples.plain(writer, Integer.parseInt(arguments[1]), 1_000);
      writer.finish();
    }
    long inodes = FsImage.open(file).inodes();
    print("written", inodes, begin);
    System.out.printf(
        "%d bytes, %.1f each%n", Files.size(file), Files.size(file) / (double) inodes);
    for (int i = 0; i < 5; i++) {
      begin = System.nanoTime();
      Count count = new Count();
      FsImage.open(file).read(count);
      print("read, %d places".formatted(count.places), count.inodes, begin);
    }
    begin = System.nanoTime();
    System.out.println(ImageDigest.of(file));
    print("summed", inodes, begin);
  }

  private static void print(String what, long inodes, long begin) {
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf("%s: %d inodes in %.2f s, %.0f/s%n", what, inodes, seconds, inodes / seconds);
  }

  private static final class Count implements Image.Visitor {
    private long inodes;
    private long places;

    @Override
    public void inode(Inode inode) {
      inodes++;
    }

    @Override
    public void place(long child, long parent) {
      places++;
    }
  }
}
