// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidnode.rest.health.FsckTally;
import io.hdfsraid.raidnode.rest.health.HealthRecords;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.ShellException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;

/**
 * Checks the health of all files below a path without a RaidNode: it looks up the parity of every
 * file. It only reads, so it needs no ownership and no more rights than its user has.
 */
final class OfflineFsck {
  private final ReadOnlyHdfs lookout;
  private final Clock clock;
  private long unlisted;

  OfflineFsck(ReadOnlyHdfs lookout, Clock clock) {
    this.lookout = lookout;
    this.clock = clock;
  }

  FsckReport run(String below, Paging paging) throws IOException {
    FsckTally tally = new FsckTally(below, paging);
    FileStatus top;
    try {
      top = lookout.fileSystem().getFileStatus(new Path(below));
    } catch (FileNotFoundException e) {
      throw new ShellException(ExitCode.IO, "There is nothing at " + below, "Check the path.");
    }
    Deque<Path> directories = new ArrayDeque<>();
    visit(top, tally, directories);
    while (!directories.isEmpty()) {
      Path directory = directories.pop();
      try {
        RemoteIterator<FileStatus> entries = lookout.fileSystem().listStatusIterator(directory);
        while (entries.hasNext()) {
          visit(entries.next(), tally, directories);
        }
      } catch (FileNotFoundException e) {
        // deleted meanwhile
      } catch (AccessControlException e) {
        unlisted++;
      }
    }
    return tally.report(clock.instant()).with(note());
  }

  private void visit(FileStatus status, FsckTally tally, Deque<Path> directories)
      throws IOException {
    if (status.isDirectory()) {
      directories.push(status.getPath());
      return;
    }
    if (!status.isFile()) {
      return;
    }
    String path = status.getPath().toUri().getPath();
    HealthRecords.Subject subject = new HealthRecords.Subject(0, path, "", status.getLen());
    try {
      Optional<LocatedFile> file = lookout.namespace().file(path);
      if (file.isEmpty()) {
        return; // deleted meanwhile
      }
      subject = new HealthRecords.Subject(file.get().inode(), path, "", file.get().length());
      Optional<ParityFile> parity = lookout.parityOf(file.get());
      if (parity.isEmpty()) {
        return;
      }
      tally.add(
          new HealthRecords.Subject(
              subject.inode(), path, parity.get().manifest().codec(), subject.length()),
          lookout.judge(parity.get(), subject.inode()),
          isOfGroup(parity.get(), subject.inode()));
    } catch (AccessControlException | InodeGoneException | ManifestFormatException e) {
      tally.unknown(subject, firstLine(e));
    }
  }

  private static boolean isOfGroup(ParityFile parity, long inode) {
    return parity.manifest().members().stream().anyMatch(member -> member.inode() != inode);
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
  }

  private String note() {
    String note = "";
    if (!lookout.asksDataNodes()) {
      note =
          "Only the NameNode was asked: asking DataNodes takes the keys of blocks, which only the"
              + " superuser of HDFS gets.";
    }
    if (unlisted > 0) {
      note += " %d directories could not be listed by this user.".formatted(unlisted);
    }
    return note.strip();
  }
}
