// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.rocksdb.DatabaseException;
import io.hdfsraid.recency.rocksdb.DatabaseFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of an index. Each generation has a folder of its own, and a file names the one that
 * counts. That file is replaced atomically, so that one complete generation exists at any time,
 * also after a crash. The others are removed when the folder is opened.
 */
final class IndexFolder implements AutoCloseable {
  static final String NAME = "index";

  private static final String CURRENT = "current";
  private static final String FORMAT = "hdfs-raid namespace index, format ";

  private final DatabaseFolder folder;
  private long number;

  private IndexFolder(DatabaseFolder folder) {
    this.folder = folder;
  }

  /**
   * Opens the folder, and creates it if it does not exist.
   *
   * @throws DatabaseException with what to do
   */
  static IndexFolder open(Path path, Clock clock) {
    DatabaseFolder folder = DatabaseFolder.open(path, NAME, clock);
    IndexFolder opened = new IndexFolder(folder);
    try {
      opened.number = opened.readCurrent();
      opened.removeLeftovers();
      Files.createDirectories(opened.current());
      return opened;
    } catch (IOException e) {
      folder.close();
      throw folder.unusable(e);
    } catch (RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  private long readCurrent() throws IOException {
    Path file = folder.path().resolve(CURRENT);
    if (!Files.exists(file)) {
      writeCurrent(1);
      return 1;
    }
    List<String> lines = Files.readAllLines(file);
    if (lines.size() != 2 || !lines.get(0).startsWith(FORMAT)) {
      throw folder.unreadable("%s is damaged".formatted(file));
    }
    String format = lines.get(0).substring(FORMAT.length());
    if (!format.equals(Integer.toString(Generation.FORMAT))) {
      throw folder.unreadable(
          "it has format %s, and this version reads format %d"
              .formatted(format, Generation.FORMAT));
    }
    try {
      return Long.parseLong(lines.get(1));
    } catch (NumberFormatException e) {
      throw folder.unreadable("%s is damaged".formatted(file));
    }
  }

  private void writeCurrent(long generation) throws IOException {
    Path update = folder.path().resolve(CURRENT + ".new");
    Files.writeString(update, FORMAT + Generation.FORMAT + "\n" + generation + "\n");
    sync(update, StandardOpenOption.WRITE);
    Files.move(
        update,
        folder.path().resolve(CURRENT),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    sync(folder.path(), StandardOpenOption.READ);
  }

  private static void sync(Path path, StandardOpenOption how) throws IOException {
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }

  private void removeLeftovers() throws IOException {
    try (Stream<Path> entries = Files.list(folder.path())) {
      for (Path entry : entries.toList()) {
        if (Files.isDirectory(entry) && !entry.equals(current())) {
          DatabaseFolder.remove(entry);
        }
      }
    }
  }

  /** The generation that counts. */
  Path current() {
    return generation(number);
  }

  private Path generation(long which) {
    return folder.path().resolve("generation-" + which);
  }

  /** An empty folder for the generation after it. */
  Path makeNext() {
    try {
      Path next = generation(number + 1);
      DatabaseFolder.remove(next);
      return Files.createDirectories(next);
    } catch (IOException e) {
      throw folder.unusable(e);
    }
  }

  /** The next generation is whole: it counts from now on. */
  void switchToNext() {
    try {
      writeCurrent(number + 1);
      number++;
    } catch (IOException e) {
      throw folder.unusable(e);
    }
  }

  static void removeQuietly(Path path) {
    try {
      DatabaseFolder.remove(path);
    } catch (IOException e) {
      // The rest of the files takes space until the folder is opened again, which removes them.
    }
  }

  @Override
  public void close() {
    folder.close();
  }
}
