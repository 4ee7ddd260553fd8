// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidnode.rest.files.HistogramCount;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Progress;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.raidshell.command.Terminal;
import io.hdfsraid.recency.fsimage.DamagedImageException;
import io.hdfsraid.recency.fsimage.FsImage;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;

/**
 * Counts the files of an fsimage while it is read. It builds no index and keeps nothing of a file.
 * Parity files are not counted.
 */
final class ImageHistogram {
  private static final int SHOWN_EVERY = 10_000;

  private final Path file;

  private final Clock clock;

  ImageHistogram(Path file, Clock clock) {
    this.file = file;
    this.clock = clock;
  }

  FileHistogram count(PrintWriter progress) throws IOException {
    if (Files.isDirectory(file)) {
      throw new ShellException(
          ExitCode.IO,
          file + " is a directory, not an image",
          "Name the image in it, such as fsimage_0000000000000012345.");
    }
    try {
      HistogramCount count = new HistogramCount(written());
      FsImage image = FsImage.open(file);
      try (Progress shown =
          new Progress(
              progress,
              Terminal.watched(),
              "Inodes of " + file.getFileName(),
              image.inodes(),
              Progress.Unit.ITEMS)) {
        Counting counting = new Counting(count, shown);
        image.read(counting);
        shown.stepTo(counting.inodes);
      }
      if (!image.isVouchedFor()) {
        progress.println(
            "Nothing vouches for this image: there is no %s.md5 beside it. A flipped bit in a time, a length or a name would have gone unnoticed. Copy that file, too."
                .formatted(file.getFileName()));
        progress.flush();
      }
      return count.histogram("/");
    } catch (NoSuchFileException e) {
      throw new ShellException(
          ExitCode.IO,
          "There is no image " + file,
          "Fetch one: hdfs dfsadmin -fetchImage DIRECTORY");
    } catch (DamagedImageException e) {
      throw new ShellException(ExitCode.IO, e.getMessage(), "");
    }
  }

  /** An image says when its files were used, and not when it was made itself. */
  private Instant written() throws IOException {
    Instant written = Files.getLastModifiedTime(file).toInstant();
    Instant now = clock.instant();
    return written.isBefore(now) ? written : now;
  }

  private static final class Counting implements Image.Visitor {
    private final HistogramCount count;
    private final Progress shown;
    private long inodes;

    Counting(HistogramCount count, Progress shown) {
      this.count = count;
      this.shown = shown;
    }

    @Override
    public void inode(Inode inode) {
      if (inode instanceof Inode.File one) {
        count.add(one.attributes());
      }
      seen();
    }

    @Override
    public void inode(Inode.File file, Map<String, byte[]> marks) {
      if (marks.keySet().stream().noneMatch(mark -> mark.startsWith(Image.MARK_OF_PARITY))) {
        count.add(file.attributes());
      }
      seen();
    }

    private void seen() {
      if (++inodes % SHOWN_EVERY == 0) {
        shown.stepTo(inodes);
      }
    }

    @Override
    public void place(long child, long parent) {}
  }
}
