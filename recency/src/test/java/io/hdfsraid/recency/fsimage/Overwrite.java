// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Puts other contents into a file, thousands of times. A file that is first emptied, as {@code
 * Files.write} does, goes to the disk at once on ext4, which takes longer than reading an image.
 */
public final class Overwrite {
  private Overwrite() {}

  public static void of(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        channel.write(left, left.position());
      }
      if (channel.size() > bytes.length) {
        channel.truncate(bytes.length);
      }
    }
  }
}
