// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.recency.rocksdb.DatabaseFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/**
 * The file {@code raidnode.pid} in the folder of the notebook of a daemon, which says which process
 * runs and where it listens. The process holds a lock on the file, which the operating system takes
 * away when the process ends in whatever way: so a file that was left behind, and a pid that
 * another process has been given, deceive nobody.
 */
public final class PidFile implements AutoCloseable {
  private static final String NAME = DatabaseFolder.PID_FILE;
  private static final ObjectMapper JSON = ApiJson.mapper();

  private final Path path;
  private final FileChannel channel;
  private RunningProcess process;

  /**
   * A daemon that runs.
   *
   * @param process which process it is
   * @param since when it was started
   * @param rest where it listens, with a scheme and a port
   * @param admin where it answers what monitoring asks
   */
  public record RunningProcess(
      OwnerProcess process, Instant since, Optional<URI> rest, Optional<URI> admin) {
    public long pid() {
      return process.pid();
    }
  }

  private PidFile(Path path, FileChannel channel, RunningProcess process) {
    this.path = path;
    this.channel = channel;
    this.process = process;
  }

  /**
   * Takes the file for this process until it is closed.
   *
   * @param directory that of the notebook; made if it does not exist
   * @throws DaemonRunsException if another daemon runs with this directory
   */
  public static PidFile take(Path directory, Instant now) throws IOException {
    Files.createDirectories(directory);
    Path path = directory.resolve(NAME);
    FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new DaemonRunsException(
            "%s is a daemon that runs with this configuration (%s). Stop it with 'raidnode stop', or give this one another catalog.directory."
                .formatted(
                    read(path).map(held -> "Process " + held.pid()).orElse("Another process"),
                    path));
      }
      PidFile file =
          new PidFile(
              path,
              channel,
              new RunningProcess(OwnerProcess.current(), now, Optional.empty(), Optional.empty()));
      file.write();
      return file;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Returns the daemon that runs with a directory; empty if there is none, or if it has started at
   * this moment and not yet said who it is. Changes nothing, and must not be called in the process
   * that has taken the file: closing a file gives up all its locks.
   *
   * @throws IOException if that cannot be found out, for example because this user may not read it
   */
  public static Optional<RunningProcess> look(Path directory) throws IOException {
    Path path = directory.resolve(NAME);
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      try (FileLock free = channel.tryLock(0, Long.MAX_VALUE, true)) {
        return free == null ? read(path) : Optional.empty();
      }
    } catch (NoSuchFileException e) {
      return Optional.empty(); // it was removed at this moment
    }
  }

  /** Adds where the process listens now. */
  public void listens(URI rest, URI admin) throws IOException {
    process =
        new RunningProcess(
            process.process(), process.since(), Optional.of(rest), Optional.of(admin));
    write();
  }

  private void write() throws IOException {
    ByteBuffer content = ByteBuffer.wrap(JSON.writeValueAsBytes(process));
    int length = content.remaining();
    channel.write(content, 0);
    channel.truncate(length);
  }

  /** Returns the content; empty while the process that holds the lock is writing it. */
  private static Optional<RunningProcess> read(Path path) throws IOException {
    try {
      return Optional.of(JSON.readValue(Files.readAllBytes(path), RunningProcess.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /**
   * Removes the file. Another process may have opened it at this very moment, and then locks a file
   * that has no name any more: so the notebook has a lock of its own.
   */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path);
    channel.close();
  }
}
