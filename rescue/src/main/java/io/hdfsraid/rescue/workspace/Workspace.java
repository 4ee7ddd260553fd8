// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.workspace;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The temporary directory of a command. It is removed when the command ends. On Ctrl-C the thread
 * that created it is interrupted first and may end in order. The next command removes directories
 * of commands that were killed: a lock, which ends with its process, shows which these are.
 */
public final class Workspace implements AutoCloseable {
  private static final long SECONDS_TO_END = 20;
  private static final int ATTEMPTS = 10;
  private static final String LOG = "hdfsraid.workspace.log"; // read by logback.xml beside
  private static final String PREFIX = "hdfs-raid-";
  private static final String LOCK = "in-use";
  private static final String TEMPORARY = "java.io.tmpdir";

  /** The parent of all workspaces. The system property changes while a workspace exists. */
  private static final Path PARENT = Path.of(System.getProperty(TEMPORARY));

  /** In the names of those of this process. */
  private static final String OWN = ProcessHandle.current().pid() + "-";

  private final Path directory;
  private final String temporaryBefore = System.getProperty(TEMPORARY);
  private final FileChannel inUse;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean ending;

  private Workspace(Path directory, FileChannel inUse) {
    this.directory = directory;
    this.inUse = inUse;
    Thread owner = Thread.currentThread();
    this.hook = new Thread(() -> endInOrder(owner), "clean-up");
  }

  /**
   * A new one; those of commands that were killed are removed first.
   *
   * @param command whose directory it is; part of its name
   */
  public static Workspace create(String command) throws IOException {
    removeAbandoned();
    // Java keeps the directory of its first temporary file for ever, and ours will be removed.
    Files.delete(File.createTempFile(PREFIX, null).toPath());
    Path directory = Files.createTempDirectory("%s%s-%s".formatted(PREFIX, command, OWN));
    FileChannel inUse =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    inUse.lock();
    Workspace workspace = new Workspace(directory, inUse);
    Runtime.getRuntime().addShutdownHook(workspace.hook);
    // The web servers of Hadoop unpack themselves there, and do not clean up when they are killed.
    System.setProperty(TEMPORARY, workspace.directory("tmp").toString());
    return workspace;
  }

  private static void removeAbandoned() throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(parent(), PREFIX + "*")) {
      for (Path directory : found) {
        if (isAbandoned(directory)) {
          remove(directory);
        }
      }
    }
  }

  /** Its process is dead. One without our lock file is not ours, or is just being made. */
  private static boolean isAbandoned(Path directory) {
    Path lock = directory.resolve(LOCK);
    // To open and close a file is enough to lose the locks that this process has on it.
    boolean own = directory.getFileName().toString().contains("-" + OWN);
    if (own || !Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      FileLock taken = channel.tryLock();
      return taken != null;
    } catch (OverlappingFileLockException | IOException e) {
      return false; // this process has it, or it is somebody else's
    }
  }

  /** Bytes that can be written there. */
  public static long free() throws IOException {
    return Files.getFileStore(parent()).getUsableSpace();
  }

  public static Path parent() {
    return PARENT;
  }

  public Path directory(String name) {
    try {
      return Files.createDirectories(directory.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes a directory in it, of which nothing is in use any more. */
  public void remove(String name) throws IOException {
    remove(directory.resolve(name));
  }

  public Path file(String name) {
    return directory.resolve(name);
  }

  /**
   * Sends what Hadoop logs to a file in here, if nothing was logged yet: it has a lot to say about
   * DataNodes, and none of it belongs on a screen.
   */
  public void logTo(String name) {
    System.setProperty(LOG, file(name).toString());
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "io/hdfsraid/rescue/workspace/logback.xml");
    }
  }

  /** Takes a file out of it before it is removed. */
  public Path rescue(String name) throws IOException {
    Path kept = parent().resolve(directory.getFileName() + "-" + name);
    return Files.move(directory.resolve(name), kept, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The process is about to end: Hadoop cannot be closed any more, and need not be. */
  public boolean isEnding() {
    return ending;
  }

  private void endInOrder(Thread owner) {
    ending = true;
    owner.interrupt();
    try {
      if (!closed.await(SECONDS_TO_END, TimeUnit.SECONDS)) {
        remove();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      System.err.println("Could not remove " + directory + ": " + e);
    }
  }

  @Override
  public void close() throws IOException {
    System.setProperty(TEMPORARY, temporaryBefore);
    try {
      inUse.close();
      remove();
    } finally {
      closed.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // it is the hook that waits for us
      }
    }
  }

  private void remove() throws IOException {
    remove(directory);
  }

  private static void remove(Path directory) throws IOException {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      try {
        removeOnce(directory);
        return;
      } catch (DirectoryNotEmptyException e) {
        // written by an HDFS that is not closed
      }
    }
    removeOnce(directory);
  }

  private static void removeOnce(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // gone since it was listed
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
