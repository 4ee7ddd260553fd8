// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system in memory, mounted on the directory of one DataNode, which is small enough to be
 * filled. Only a user who may mount can have one.
 */
final class SmallDisk implements AutoCloseable {
  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /**
   * Mounts one.
   *
   * @throws IOException if this user may not mount, or this is no Linux
   */
  static SmallDisk mount(Path directory, int megabytes) throws IOException {
    Files.createDirectories(directory);
    run("mount", "-t", "tmpfs", "-o", "size=%dm".formatted(megabytes), "tmpfs", directory + "");
    return new SmallDisk(directory);
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException("'%s' failed: %s".formatted(String.join(" ", command), said));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted in " + List.of(command), e);
    }
  }

  private Path ballast() {
    return directory.resolve("ballast");
  }

  /** Leaves no byte free. */
  void fill() throws IOException {
    byte[] bytes = new byte[64 << 10];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      while (Files.getFileStore(directory).getUsableSpace() > 0) {
        out.write(bytes);
      }
    } catch (IOException e) {
      if (Files.getFileStore(directory).getUsableSpace() > 0) {
        throw e;
      }
    }
  }

  /** Frees what {@link #fill} has taken. */
  void empty() throws IOException {
    Files.deleteIfExists(ballast());
  }

  /** Unmounts it, with all that is on it, also while a process that was killed still ends. */
  @Override
  public void close() throws IOException {
    run("umount", "-l", directory.toString());
  }
}
