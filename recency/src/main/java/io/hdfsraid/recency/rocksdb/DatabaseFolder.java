// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

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
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder on the local disk that holds a database. One process at a time may have it open: it
 * locks the file {@code lock} and writes its name to the file {@code holder}.
 */
public final class DatabaseFolder implements AutoCloseable {
  /** Name of a file of the process that uses the folder, which may be there before all else. */
  public static final String PID_FILE = "raidnode.pid";

  private static final String LOCK = "lock";
  private static final String HOLDER = "holder";

  /** Every RocksDB database has this file. */
  private static final String ROCKSDB = "CURRENT";

  private final Path path;
  private final String name;
  private final FileChannel lockFile;

  private DatabaseFolder(Path path, String name, FileChannel lockFile) {
    this.path = path;
    this.name = name;
    this.lockFile = lockFile;
  }

  /**
   * Opens the folder, and creates it if it does not exist.
   *
   * @param name what the folder holds, for messages
   * @throws DatabaseException if the folder cannot be written, belongs to something else, or is
   *     held by another process; its message says what to do
   */
  public static DatabaseFolder open(Path path, String name, Clock clock) {
    try {
      prepare(path, name);
      FileChannel lockFile = lock(path, name);
      try {
        Files.writeString(
            path.resolve(HOLDER),
            "process %d on %s since %s%n"
                .formatted(ProcessHandle.current().pid(), hostName(), clock.instant()));
        return new DatabaseFolder(path, name, lockFile);
      } catch (IOException e) {
        lockFile.close();
        throw e;
      }
    } catch (AccessDeniedException e) {
      throw new DatabaseException(
          "The folder %s of the %s cannot be written by user %s: permission denied for %s"
              .formatted(path, name, System.getProperty("user.name"), e.getFile()),
          e);
    } catch (FileAlreadyExistsException e) {
      throw new DatabaseException(
          "The folder %s of the %s cannot be made: %s is a file".formatted(path, name, e.getFile()),
          e);
    } catch (IOException e) {
      throw unusable(path, name, e);
    }
  }

  private static void prepare(Path path, String name) throws IOException {
    Files.createDirectories(path);
    if (!Files.isWritable(path)) {
      throw new AccessDeniedException(path.toString());
    }
    if (Files.exists(path.resolve(LOCK)) || Files.exists(path.resolve(HOLDER))) {
      return;
    }
    if (Files.exists(path.resolve(ROCKSDB))) {
      throw DatabaseException.unreadable(name, path, "it was not written by HDFS-RAID");
    }
    try (Stream<Path> entries = Files.list(path)) {
      if (entries.anyMatch(entry -> !entry.endsWith(PID_FILE))) {
        throw new DatabaseException(
            "The folder %s is not empty and holds no %s: choose an empty one (catalog.directory)"
                .formatted(path, name));
      }
    }
  }

  private static FileChannel lock(Path path, String name) throws IOException {
    FileChannel file =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = file.tryLock();
      if (lock != null) {
        return file;
      }
    } catch (OverlappingFileLockException e) {
      // This very process holds the lock.
    }
    file.close();
    throw new DatabaseException(
        "The %s in %s is in use by %s: stop that one first, or choose another folder"
            .formatted(name, path, holder(path)));
  }

  private static String holder(Path path) {
    try {
      return Files.readString(path.resolve(HOLDER)).strip();
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

  public Path path() {
    return path;
  }

  /** Says that the folder cannot be read or written. */
  public DatabaseException unusable(IOException e) {
    return unusable(path, name, e);
  }

  private static DatabaseException unusable(Path path, String name, IOException e) {
    return new DatabaseException(
        "The folder %s of the %s cannot be used: %s".formatted(path, name, e), e);
  }

  /** Says that the folder may be deleted. */
  public DatabaseException unreadable(String reason) {
    return DatabaseException.unreadable(name, path, reason);
  }

  /** Deletes a folder with all its contents, if it exists. */
  public static void remove(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> below = Files.walk(path)) {
      for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }

  /** Lets other processes open the folder. */
  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw unusable(e);
    }
  }
}
