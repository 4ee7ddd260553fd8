// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.embedded.EmbeddedYarn;
import io.hdfsraid.embedded.HadoopJars;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.raidshell.command.Terminal;
import io.hdfsraid.rescue.output.Program;
import io.hdfsraid.rescue.output.ReportFile;
import io.hdfsraid.rescue.workspace.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bin/raidnode demo}. */
@Command(
    name = "raidnode demo",
    description = {
      "Shows HDFS-RAID at work on an HDFS in this process: loads files, raids the cold ones, breaks"
          + " DataNodes and blocks, reads the damaged files, repairs them, and proves that nothing"
          + " was lost.",
      "All files are in one temporary directory, which is removed at the end."
    },
    mixinStandardHelpOptions = true,
    optionListHeading = "%nOptions:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is well",
      "1:it failed, and the last line says why",
      "2:the command line is wrong; nothing was started"
    },
    sortOptions = false,
    usageHelpWidth = 100)
public final class DemoCommand implements Callable<Integer> {
  /** Three copies, parity, and what a repair writes before it removes. */
  private static final int COPIES_ON_DISK = 5;

  private static final long ROOM_FOR_THE_REST = 512L << 20;
  private static final String LOG = "demo.log";

  private static final int MOST_DATA_NODES = 128;
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Load the files of this local directory instead of samples.")
  private Path data;

  @Option(
      names = "--codec",
      paramLabel = "NAME",
      defaultValue = "rs-10-4",
      description = "The erasure code, such as rs-6-3 or lrc-azure-12-2-2. Default: rs-10-4")
  private String codec;

  @Option(
      names = "--datanodes",
      paramLabel = "N",
      description =
          "Number of DataNodes, at least the units of a stripe. Default: 6 more, and at least 20")
  private Integer dataNodes;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      defaultValue = "local",
      description =
          "What encodes and repairs: local (this process), or yarn (containers of a YARN, which is"
              + " started for it; takes a minute longer). Default: local")
  private String engine;

  @Option(
      names = "--hadoop",
      paramLabel = "DIR",
      defaultValue = "${env:HADOOP_HOME}",
      description =
          "For --engine yarn: a Hadoop as it is unpacked, or a directory with all its jars. Default:"
              + " the environment variable HADOOP_HOME")
  private Path hadoop;

  @Option(
      names = "--serve",
      description =
          "Then keep the HDFS and start a RaidNode on it, with REST and metrics, until"
              + " interrupted.")
  private boolean serve;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the report to this file, for programs.")
  private Path json;

  private boolean written;

  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int code = run(out, err, args);
    out.flush();
    System.exit(code);
  }

  /**
   * Runs the demo.
   *
   * @return 0, 1 when it failed, 2 when the command line is wrong
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return new Program(WRONG_USAGE, e -> FAILED).run(new DemoCommand(), out, err, args);
  }

  @Override
  public Integer call() throws IOException {
    ErasureCodec code = code();
    int nodes = dataNodes(code);
    Optional<HadoopJars> jars = jars();
    checkJson();
    Clock clock = Clock.systemUTC();
    Instant began = clock.instant();
    DemoFiles files = files(code, began);
    checkSpace(files);
    DemoReport report = new DemoReport();
    report.codec = code.name();
    report.dataNodes = nodes;
    report.engine = engine;
    report.logicalBytes = files.bytes();
    Console console = new Console(spec.commandLine().getOut(), Terminal.watched());
    try (Workspace workspace = Workspace.create("demo")) {
      workspace.logTo(LOG);
      try {
        EmbeddedHdfs hdfs =
            DemoCluster.start(nodes, files.blockSize(), workspace.directory("hdfs"), console);
        EmbeddedYarn yarn = null;
        try {
          if (jars.isPresent()) {
            yarn = DemoCluster.startYarn(hdfs, jars.get(), workspace.directory("yarn"), console);
          }
          DemoCluster.use(
              hdfs,
              Optional.ofNullable(yarn),
              workspace,
              code,
              clock,
              cluster -> new Demo(code, files, report, cluster, console, began, clock).run());
          write(report, began, clock);
          if (serve) {
            new Serving(workspace, console, clock).serve(hdfs);
          }
        } finally {
          if (yarn != null) {
            yarn.close();
          }
          if (!workspace.isEnding()) {
            hdfs.close();
          }
        }
      } catch (IOException | RuntimeException e) {
        ShellException failure = failure(e, workspace);
        if (!written) {
          report.failure = failure.getMessage();
          write(report, began, clock);
        }
        throw failure;
      }
    }
    return 0;
  }

  private static ShellException failure(Exception e, Workspace workspace) {
    if (workspace.isEnding()) {
      return DemoCluster.failure("Interrupted");
    }
    String message = e instanceof ShellException ? e.getMessage() : e.toString();
    try {
      message += ". The log is in " + workspace.rescue(LOG);
    } catch (IOException | RuntimeException noLog) {
      e.addSuppressed(noLog);
    }
    ShellException failure = DemoCluster.failure(message);
    failure.initCause(e);
    return failure;
  }

  private int dataNodes(ErasureCodec code) {
    int units = code.shape().units();
    // Enough to spread a stripe, to lose two nodes and to have a choice after that.
    int nodes = dataNodes == null ? Math.min(MOST_DATA_NODES, Math.max(20, units + 6)) : dataNodes;
    if (units > MOST_DATA_NODES) {
      throw wrong(
          "--codec: a stripe of %s has %d units, each on a DataNode of its own, but at most %d fit into one process: choose one with fewer units"
              .formatted(code.name(), units, MOST_DATA_NODES));
    }
    if (nodes < units) {
      throw wrong(
          "--datanodes is %d, but a stripe of %s has %d units, each on a node of its own: give at least %d"
              .formatted(nodes, code.name(), units, units));
    }
    if (nodes > MOST_DATA_NODES) {
      throw wrong(
          "--datanodes is %d, but at most %d fit into one process"
              .formatted(nodes, MOST_DATA_NODES));
    }
    return nodes;
  }

  private ErasureCodec code() {
    try {
      return Codecs.parse(codec);
    } catch (IllegalArgumentException e) {
      throw wrong("--codec: " + e.getMessage());
    }
  }

  /** Returns the Hadoop whose YARN is the engine; empty if this process is. */
  private Optional<HadoopJars> jars() {
    if (engine.equals("local")) {
      if (spec.commandLine().getParseResult().hasMatchedOption("--hadoop")) {
        throw wrong("--hadoop is for --engine yarn only");
      }
      return Optional.empty();
    }
    if (!engine.equals("yarn")) {
      throw wrong("--engine is %s, but it can be local or yarn only".formatted(engine));
    }
    if (serve) {
      throw wrong(
          "--serve: the RaidNode on the HDFS of the demo works without YARN; leave out --engine");
    }
    if (hadoop == null || hadoop.toString().isEmpty()) {
      throw wrong(
          "--engine yarn needs a Hadoop: name its directory with --hadoop, or set HADOOP_HOME");
    }
    try {
      return Optional.of(HadoopJars.of(hadoop));
    } catch (IOException e) {
      throw wrong("--hadoop: " + e.getMessage());
    }
  }

  private DemoFiles files(ErasureCodec code, Instant now) {
    if (data == null) {
      return DemoFiles.samples(code.shape().dataUnits(), now);
    }
    if (!Files.isDirectory(data)) {
      throw wrong(
          "--data: %s %s"
              .formatted(data, Files.exists(data) ? "is not a directory" : "does not exist"));
    }
    try {
      DemoFiles files = DemoFiles.of(data, now);
      if (files.bytes() == 0) {
        throw wrong("--data: %s holds no file with content".formatted(data));
      }
      for (DemoFiles.DemoFile file : files.files()) {
        file.content().open().close();
      }
      return files;
    } catch (IOException | UncheckedIOException e) {
      throw wrong("--data: %s cannot be read: %s".formatted(data, e.getMessage()));
    }
  }

  private void checkJson() {
    if (json != null) {
      new ReportFile(json)
          .problem()
          .ifPresent(
              problem -> {
                throw wrong("--json: " + problem);
              });
    }
  }

  private void checkSpace(DemoFiles files) {
    long needed = files.bytes() * COPIES_ON_DISK + ROOM_FOR_THE_REST;
    long free;
    try {
      free = Workspace.free();
    } catch (IOException e) {
      throw wrong("The directory for temporary files cannot be used: " + e);
    }
    if (free < needed) {
      throw wrong(
          "The demo needs %s in %s, but there are %s free: free some, or set TMPDIR"
              .formatted(Screen.bytes(needed), Workspace.parent(), Screen.bytes(free)));
    }
  }

  /** Also a failed demo writes the figures that it has. */
  private void write(DemoReport report, Instant began, Clock clock) {
    written = true;
    report.seconds = Duration.between(began, clock.instant()).toMillis() / 1000.0;
    if (json == null) {
      return;
    }
    try {
      new ReportFile(json).write(report);
    } catch (IOException e) {
      throw DemoCluster.failure("The report could not be written to %s: %s".formatted(json, e));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("The report is in " + json);
    out.flush();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
