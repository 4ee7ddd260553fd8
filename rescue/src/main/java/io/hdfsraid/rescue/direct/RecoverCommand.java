// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.health.RecoveryReport;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.NamedCluster;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.rescue.output.JsonOption;
import io.hdfsraid.rescue.output.LibraryLogging;
import io.hdfsraid.rescue.workspace.Workspace;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code raidshell recover}: copies a file out of HDFS through its parity. */
@Command(
    name = "recover",
    description = {
      "Copies a file out of HDFS and rebuilds the bytes that HDFS cannot read, even if the cluster"
          + " cannot be repaired. It reads with the rights of its user, does not change the file,"
          + " and overwrites nothing. Needs no RaidNode, and may run beside one.",
      "Exit code 4: some ranges can neither be read nor rebuilt. They are listed, and no copy is"
          + " written. 5: the same with --partial. The copy has zeros for a range that cannot be"
          + " read, and the bytes that HDFS returns for one with a wrong checksum."
    })
public final class RecoverCommand implements Callable<Integer> {
  private final Installation installation;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      converter = HdfsPathConverter.class,
      description = "The file on HDFS.")
  private String path;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "PATH",
      description = "Path of the copy: on this machine, or on the same HDFS as hdfs:///...")
  private String to;

  @Option(
      names = "--partial",
      description = "Write the copy also with gaps: zeros for ranges that cannot be read.")
  private boolean partial;

  public RecoverCommand(Installation installation) {
    this.installation = installation;
  }

  @Override
  public Integer call() throws IOException {
    LibraryLogging.hush();
    Installation source =
        NamedCluster.of(spec).map(named -> installation.at(named.uri())).orElse(installation);
    try (ReadOnlyHdfs lookout = ReadOnlyHdfs.open(source, Clock.systemUTC())) {
      Optional<LocatedFile> found = lookout.namespace().file(path);
      if (found.isEmpty()) {
        throw new ShellException(ExitCode.IO, "There is no file " + path, "Check the path.");
      }
      if (found.get().underConstruction()) {
        throw new ShellException(
            ExitCode.REFUSED,
            path + " is open for writing",
            "Close it first; 'hdfs debug recoverLease' does that for a writer that is gone.");
      }
      RecoveryReport report = recover(found.get(), lookout);
      PrintWriter out = spec.commandLine().getOut();
      if (JsonOption.of(spec)) {
        out.println(ApiJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(report));
      } else {
        show(report, Screen.of(spec));
      }
      out.flush();
      return exitCode(report).number();
    }
  }

  /**
   * Once more where blocks were not what was recorded: that comes out when they are written, and
   * then they are rebuilt, for which DataNodes are asked by us and not by HDFS.
   */
  private RecoveryReport recover(LocatedFile source, ReadOnlyHdfs lookout) throws IOException {
    Set<Block> wrong = new HashSet<>();
    // On Ctrl-C this thread is interrupted, and ends in order: nothing is left of the copy.
    try (Workspace workspace = Workspace.create("recover")) {
      while (true) {
        try (AtomicCopy copy = AtomicCopy.begin(to, lookout.fileSystem())) {
          FileRecovery recovery = new FileRecovery(lookout, wrong);
          RecoveryReport report = recovery.copy(source, copy.out(), to);
          if (workspace.isEnding()) {
            throw new InterruptedIOException("Cut off before the copy got its name");
          }
          boolean more = wrong.addAll(recovery.contradicted());
          if (more && lookout.asksDataNodes()) {
            continue;
          }
          if (report.missing().isEmpty() || partial) {
            copy.keep();
            return report;
          }
          return report.unwritten();
        }
      }
    }
  }

  private static void show(RecoveryReport report, Screen screen) {
    for (RecoveryReport.Range range : report.missing()) {
      screen.line(
          "Missing: bytes %d to %d (%s, blk_%d): %s"
              .formatted(
                  range.from(),
                  range.to() - 1,
                  Screen.bytes(range.length()),
                  range.blockId(),
                  range.why()));
    }
    screen.line(
        "%s: %s, %s of it rebuilt from parity, %s missing; %d of %d blocks are what was recorded when they were raided"
            .formatted(
                report.path(),
                Screen.bytes(report.length()),
                Screen.bytes(report.rebuiltBytes()),
                Screen.bytes(report.missingBytes()),
                report.checked(),
                report.blocks()));
    if (report.written()) {
      screen.line(
          "Written to "
              + report.to()
              + (report.missing().isEmpty() ? "." : ", with zeros where nothing can be read."));
    } else {
      screen.line(
          "Nothing was written. With --partial the copy has zeros where nothing can be read; or try"
              + " again when DataNodes are back.");
    }
  }

  private static ExitCode exitCode(RecoveryReport report) {
    if (report.missing().isEmpty()) {
      return ExitCode.OK;
    }
    return report.written() ? ExitCode.PARTIAL : ExitCode.UNRECOVERABLE;
  }
}
