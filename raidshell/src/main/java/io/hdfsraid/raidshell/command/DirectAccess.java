// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;

/** Access to HDFS, or to a NameNode's image, without a RaidNode. */
public interface DirectAccess {
  /** Returns the access to another HDFS than that of the configuration. */
  DirectAccess at(URI cluster);

  /**
   * Checks the health of raided files. Changes nothing, so a RaidNode may run at the same time.
   *
   * @throws ShellException if the health cannot be determined
   */
  FsckReport fsck(String below, Paging paging) throws IOException;

  /**
   * Repairs as the only writer, unless the request is a dry run. Returns when the repairs have
   * ended.
   *
   * @throws ShellException with {@link ExitCode#REFUSED} if another process is the writer, even for
   *     a dry run
   */
  ChangePreview repair(RepairRequest request, Takeover takeover) throws IOException;

  /**
   * Counts the files of a NameNode's image by age, size and replication. Needs no HDFS.
   *
   * @param progress shows the progress on a terminal
   * @throws IOException if the image is damaged or cannot be read
   */
  FileHistogram histogram(Path image, PrintWriter progress) throws IOException;

  /** When the ownership of the cluster may be taken from another process. */
  enum Takeover {
    /** Only if the owner is a process of this machine that is known to be dead. */
    NEVER,
    /** Also if the owner has not been heard of for longer than its lease lasts. */
    AFTER_LEASE
  }
}
