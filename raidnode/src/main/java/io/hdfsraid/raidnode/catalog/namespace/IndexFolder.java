package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.catalog.problem.CatalogException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of an index: generations, each in a folder of its own, and a file that names the one
 * that counts. That file is replaced in one step, so that whenever the process ends, one of them is
 * whole; the others are removed when the folder is opened.
 */
final class IndexFolder implements AutoCloseable {
  private static final String LOCK = "lock";
  private static final String HOLDER = "holder";
  private static final String CURRENT = "current";
  private static final String FORMAT = "hdfs-raid namespace index, format ";

  private final Path folder;
  private final FileChannel lockFile;
  private long number;

  private IndexFolder(Path folder, FileChannel lockFile) {
    this.folder = folder;
    this.lockFile = lockFile;
  }

  /**
   * Opens it, or makes it where there is none.
   *
   * @throws CatalogException with what to do
   */
  static IndexFolder open(Path folder, Clock clock) {
    prepare(folder);
    FileChannel lockFile = lock(folder);
    IndexFolder opened = new IndexFolder(folder, lockFile);
    try {
      opened.number = opened.readCurrent();
      opened.removeLeftovers();
      Files.writeString(
          folder.resolve(HOLDER),
          "process %d on %s since %s%n"
              .formatted(ProcessHandle.current().pid(), hostName(), clock.instant()));
      Files.createDirectories(opened.current());
      return opened;
    } catch (IOException e) {
      opened.close();
      throw unusable(folder, e);
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private static void prepare(Path folder) {
    try {
      Files.createDirectories(folder);
      if (!Files.isWritable(folder)) {
        throw new AccessDeniedException(folder.toString());
      }
      try (Stream<Path> entries = Files.list(folder)) {
        if (!Files.exists(folder.resolve(LOCK)) && entries.findAny().isPresent()) {
          throw new CatalogException(
              "The folder %s is not empty and holds no index of a namespace: choose an empty one"
                  .formatted(folder));
        }
      }
    } catch (AccessDeniedException e) {
      throw new CatalogException(
          "The folder %s of the index cannot be written by user %s: permission denied for %s"
              .formatted(folder, System.getProperty("user.name"), e.getFile()),
          e);
    } catch (FileAlreadyExistsException e) {
      throw new CatalogException(
          "The folder %s of the index cannot be made: %s is a file".formatted(folder, e.getFile()),
          e);
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  private static FileChannel lock(Path folder) {
    try {
      FileChannel file =
          FileChannel.open(
              folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        FileLock lock = file.tryLock();
        if (lock != null) {
          return file;
        }
      } catch (OverlappingFileLockException e) {
        // Held by this very process: as bad.
      }
      file.close();
    } catch (IOException e) {
      throw unusable(folder, e);
    }
    throw new CatalogException(
        "The index in %s is in use by %s: stop that one first, or choose another folder"
            .formatted(folder, holder(folder)));
  }

  private static String holder(Path folder) {
    try {
      return Files.readString(folder.resolve(HOLDER)).strip();
    } catch (IOException e) {
      return "another process";
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "this host";
    }
  }

  private static CatalogException unusable(Path folder, IOException e) {
    return new CatalogException(
        "The folder %s of the index cannot be used: %s".formatted(folder, e), e);
  }

  private long readCurrent() throws IOException {
    Path file = folder.resolve(CURRENT);
    if (!Files.exists(file)) {
      writeCurrent(1);
      return 1;
    }
    List<String> lines = Files.readAllLines(file);
    if (lines.size() != 2 || !lines.get(0).startsWith(FORMAT)) {
      throw CatalogException.unreadable(folder, "%s is damaged".formatted(file));
    }
    String format = lines.get(0).substring(FORMAT.length());
    if (!format.equals(Integer.toString(Generation.FORMAT))) {
      throw CatalogException.unreadable(
          folder,
          "it has format %s, and this version reads format %d"
              .formatted(format, Generation.FORMAT));
    }
    try {
      return Long.parseLong(lines.get(1));
    } catch (NumberFormatException e) {
      throw CatalogException.unreadable(folder, "%s is damaged".formatted(file));
    }
  }

  private void writeCurrent(long generation) throws IOException {
    Path draft = folder.resolve(CURRENT + ".new");
    Files.writeString(draft, FORMAT + Generation.FORMAT + "\n" + generation + "\n");
    sync(draft, StandardOpenOption.WRITE);
    Files.move(
        draft,
        folder.resolve(CURRENT),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    sync(folder, StandardOpenOption.READ);
  }

  private static void sync(Path path, StandardOpenOption how) throws IOException {
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }

  private void removeLeftovers() throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : entries.toList()) {
        if (Files.isDirectory(entry) && !entry.equals(current())) {
          remove(entry);
        }
      }
    }
  }

  /** The generation that counts. */
  Path current() {
    return generation(number);
  }

  private Path generation(long which) {
    return folder.resolve("generation-" + which);
  }

  /** An empty folder for the generation after it. */
  Path makeNext() {
    try {
      Path next = generation(number + 1);
      remove(next);
      return Files.createDirectories(next);
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  /** The next generation is whole: it counts from now on. */
  void switchToNext() {
    try {
      writeCurrent(number + 1);
      number++;
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  /** Removes a folder with all that is in it, if there is one. */
  static void remove(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> below = Files.walk(path)) {
      for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }

  static void removeQuietly(Path path) {
    try {
      remove(path);
    } catch (IOException e) {
      // What is left takes space, and is removed when the folder is next opened.
    }
  }

  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }
}
