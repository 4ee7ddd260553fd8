package io.hdfsraid.offline.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The temporary directory of a command. It is removed when the command ends, also by Ctrl-C: then
 * the thread that made it is interrupted first, and may end in order.
 */
public final class Workspace implements AutoCloseable {
  private static final long SECONDS_TO_END = 20;
  private static final int ATTEMPTS = 10;
  private static final String LOG = "hdfsraid.workspace.log"; // read by logback.xml beside

  private final Path directory;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean ending;

  private Workspace(Path directory) {
    this.directory = directory;
    Thread owner = Thread.currentThread();
    this.hook = new Thread(() -> endInOrder(owner), "clean-up");
  }

  /**
   * A new one.
   *
   * @param command whose directory it is; part of its name
   */
  public static Workspace create(String command) throws IOException {
    Workspace workspace =
        new Workspace(Files.createTempDirectory("hdfs-raid-%s-".formatted(command)));
    Runtime.getRuntime().addShutdownHook(workspace.hook);
    return workspace;
  }

  /** Bytes that can be written there. */
  public static long free() throws IOException {
    return Files.getFileStore(parent()).getUsableSpace();
  }

  public static Path parent() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  public Path directory(String name) {
    try {
      return Files.createDirectories(directory.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
      System.setProperty("logback.configurationFile", "io/hdfsraid/offline/workspace/logback.xml");
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
    try {
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
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      try {
        removeOnce();
        return;
      } catch (DirectoryNotEmptyException e) {
        // written by an HDFS that is not closed
      }
    }
    removeOnce();
  }

  private void removeOnce() throws IOException {
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
