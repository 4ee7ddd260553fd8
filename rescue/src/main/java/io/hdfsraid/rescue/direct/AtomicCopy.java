// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.ShellException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * An output file that appears as a whole or not at all, and never replaces another file. It is
 * written under a temporary name beside its target and renamed at the end. If it is closed without
 * {@link #keep}, nothing is left of it.
 */
interface AtomicCopy extends Closeable {
  /** Contains the process id, so that two processes do not use the same name. */
  String SUFFIX = ".raid-recover-" + ProcessHandle.current().pid();

  OutputStream out();

  /**
   * Gives it its name.
   *
   * @throws IOException when another file has taken the name meanwhile
   */
  void keep() throws IOException;

  /**
   * Begins one.
   *
   * @param to a path of this machine, or one of HDFS with its scheme
   * @throws ShellException when there is something at that path
   */
  static AtomicCopy begin(String to, DistributedFileSystem hdfs) throws IOException {
    if (!to.startsWith("hdfs:")) {
      return new LocalCopy(java.nio.file.Path.of(to.replaceFirst("^file:(//)?", "")));
    }
    Path path = hdfs.makeQualified(new Path(to));
    if (!path.toUri().getAuthority().equals(hdfs.getUri().getAuthority())) {
      throw new ShellException(
          ExitCode.USAGE,
          "%s is not on %s".formatted(to, hdfs.getUri()),
          "Copy to a local path, and from there with 'hdfs dfs -put'.");
    }
    return new HdfsCopy(path, hdfs);
  }

  private static ShellException taken(Object path) {
    return new ShellException(
        ExitCode.REFUSED, path + " exists, and nothing is overwritten", "Name another --to.");
  }

  /** On this machine. */
  final class LocalCopy implements AtomicCopy {
    private final java.nio.file.Path target;
    private final java.nio.file.Path draft;
    private final Linking linking;
    private final OutputStream out;

    /** Gives a file another name, unless that is taken. */
    @FunctionalInterface
    interface Linking {
      void link(java.nio.file.Path name, java.nio.file.Path file) throws IOException;
    }

    LocalCopy(java.nio.file.Path target) throws IOException {
      this(target, Files::createLink);
    }

    LocalCopy(java.nio.file.Path target, Linking linking) throws IOException {
      this.linking = linking;
      this.target = target.toAbsolutePath();
      this.draft = this.target.resolveSibling(this.target.getFileName() + SUFFIX);
      if (Files.exists(this.target)) {
        throw taken(target);
      }
      this.out = Files.newOutputStream(draft, StandardOpenOption.CREATE_NEW);
    }

    @Override
    public OutputStream out() {
      return out;
    }

    @Override
    public void keep() throws IOException {
      out.close();
      try {
        // A link, other than a move, takes no other file's place.
        linking.link(target, draft);
      } catch (FileAlreadyExistsException e) {
        throw taken(target);
      } catch (UnsupportedOperationException | FileSystemException e) {
        move(); // a file system without links, or a mount that forbids them
      }
    }

    private void move() throws IOException {
      try {
        Files.move(draft, target);
      } catch (FileAlreadyExistsException e) {
        throw taken(target);
      }
    }

    @Override
    public void close() throws IOException {
      try {
        out.close();
      } finally {
        Files.deleteIfExists(draft);
      }
    }
  }

  /** On the HDFS that it is copied from. */
  final class HdfsCopy implements AtomicCopy {
    private final DistributedFileSystem hdfs;
    private final Path target;
    private final Path draft;
    private final OutputStream out;

    HdfsCopy(Path target, DistributedFileSystem hdfs) throws IOException {
      this.hdfs = hdfs;
      this.target = target;
      this.draft = target.suffix(SUFFIX);
      if (hdfs.exists(target)) {
        throw taken(target);
      }
      boolean overwrite = false;
      this.out = hdfs.create(draft, overwrite);
    }

    @Override
    public OutputStream out() {
      return out;
    }

    @Override
    public void keep() throws IOException {
      out.close();
      try {
        hdfs.rename(draft, target, Options.Rename.NONE);
      } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
        throw taken(target);
      }
    }

    @Override
    public void close() throws IOException {
      // HDFS is not asked by a thread that is interrupted, as it is by Ctrl-C.
      boolean interrupted = Thread.interrupted();
      boolean recursive = false;
      try {
        out.close();
      } finally {
        hdfs.delete(draft, recursive); // false when it has got its name
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
