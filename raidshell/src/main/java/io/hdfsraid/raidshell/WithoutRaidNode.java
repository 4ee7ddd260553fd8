package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.FileHistogram;
import io.hdfsraid.raidapi.FsckReport;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RepairRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** What the shell can do by itself, on HDFS or on files of it, when no RaidNode runs. */
public interface WithoutRaidNode {
  /**
   * How well raided files are. Changes nothing, so it does not matter whether a RaidNode runs.
   *
   * @throws ShellException when it cannot be found out
   */
  FsckReport fsck(String below, Paging paging) throws IOException;

  /**
   * Repairs as the one writer, unless it is a dry run; returns when it has ended.
   *
   * @throws ShellException {@link ExitCode#REFUSED} when somebody else is the one writer, dry run
   *     or not
   */
  PlanView repair(RepairRequest request, Takeover takeover) throws IOException;

  /**
   * How old, how large and how often replicated the files of a NameNode's image are. Needs no HDFS.
   *
   * @param progress is told how far it is, where somebody watches
   * @throws IOException when the image is damaged, or cannot be read
   */
  FileHistogram histogram(Path image, PrintWriter progress) throws IOException;

  /** Whether the ownership of the cluster may be taken from whoever has it. */
  enum Takeover {
    /** Only from a process of this machine that is known to be dead. */
    NEVER,
    /** Also from one that has not been heard of for longer than its lease holds. */
    AFTER_LEASE
  }
}
