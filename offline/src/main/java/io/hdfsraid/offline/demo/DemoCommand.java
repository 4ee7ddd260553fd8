package io.hdfsraid.offline.demo;

import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.offline.output.ReportFile;
import io.hdfsraid.offline.output.Terminal;
import io.hdfsraid.offline.workspace.Workspace;
import io.hdfsraid.raidshell.Screen;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The first thing a newcomer runs. */
@Command(
    name = "demo",
    description = {
      "Shows the main job on an HDFS of its own, in this process: loads files, raids what is cold,"
          + " breaks DataNodes and blocks, reads the damaged files, repairs them, and proves that"
          + " nothing was lost.",
      "Everything it writes is in one temporary directory, which is removed at the end."
    },
    mixinStandardHelpOptions = true,
    optionListHeading = "%nOptions:%n",
    sortOptions = false,
    usageHelpWidth = 100)
public final class DemoCommand implements Callable<Integer> {
  /** Three copies, parity, and what a repair writes before it removes. */
  private static final int COPIES_ON_DISK = 5;

  private static final long ROOM_FOR_THE_REST = 512L << 20;
  private static final String LOG = "demo.log";

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
          "How many DataNodes; at least the units of a stripe. Default: 6 more, and at least 20")
  private Integer dataNodes;

  @Option(
      names = "--serve",
      description =
          "Then keep the HDFS and start a RaidNode on it, with REST and metrics, until interrupted.")
  private boolean serve;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the report to this file, for programs.")
  private Path json;

  private boolean reported;

  @Override
  public Integer call() throws IOException {
    Clock clock = Clock.systemUTC();
    DemoSettings settings = settings(clock);
    Story story = new Story(spec.commandLine().getOut(), Terminal.watched());
    try (Workspace workspace = Workspace.create("demo")) {
      workspace.logTo(LOG);
      Demo demo = new Demo(settings, workspace, story, clock);
      try {
        demo.run(
            (hdfs, report) -> {
              write(report);
              if (serve) {
                new Serving(workspace, story, clock).serve(hdfs);
              }
            });
      } catch (IOException | RuntimeException e) {
        DemoFailure failure = failure(e, workspace);
        writeFailed(demo, failure);
        throw failure;
      }
    }
    return 0;
  }

  /** What is known is worth having also when the demo has failed. */
  private void writeFailed(Demo demo, DemoFailure failure) {
    if (!reported) {
      try {
        write(demo.soFar(failure.getMessage()));
      } catch (DemoFailure notWritten) {
        failure.addSuppressed(notWritten);
      }
    }
  }

  private static DemoFailure failure(Exception e, Workspace workspace) {
    if (workspace.isEnding()) {
      return new DemoFailure("Interrupted");
    }
    String message = e instanceof DemoFailure ? e.getMessage() : e.toString();
    try {
      return new DemoFailure(message + ". The log is in " + workspace.rescue(LOG), e);
    } catch (IOException | RuntimeException noLog) {
      e.addSuppressed(noLog);
      return new DemoFailure(message, e);
    }
  }

  private DemoSettings settings(Clock clock) {
    ErasureCodec code = code();
    int nodes = dataNodes == null ? DemoSettings.usualDataNodes(code) : dataNodes;
    int units = code.shape().units();
    if (units > DemoSettings.MOST_DATA_NODES) {
      throw wrong(
          "--codec: a stripe of %s has %d units, each on a DataNode of its own, but at most %d fit into one process: choose one with fewer units"
              .formatted(code.name(), units, DemoSettings.MOST_DATA_NODES));
    }
    if (nodes < units) {
      throw wrong(
          "--datanodes is %d, but a stripe of %s has %d units, each on a node of its own: give at least %d"
              .formatted(nodes, code.name(), units, units));
    }
    if (nodes > DemoSettings.MOST_DATA_NODES) {
      throw wrong(
          "--datanodes is %d, but at most %d fit into one process"
              .formatted(nodes, DemoSettings.MOST_DATA_NODES));
    }
    checkJson();
    DataSet files =
        data == null
            ? DataSet.samples(code.shape().dataUnits(), clock.instant())
            : localFiles(clock);
    checkSpace(files);
    return new DemoSettings(code, nodes, files);
  }

  private ErasureCodec code() {
    try {
      return Codecs.parse(codec);
    } catch (IllegalArgumentException e) {
      throw wrong("--codec: " + e.getMessage());
    }
  }

  private DataSet localFiles(Clock clock) {
    if (!Files.isDirectory(data)) {
      throw wrong(
          "--data: %s %s"
              .formatted(data, Files.exists(data) ? "is not a directory" : "does not exist"));
    }
    try {
      DataSet files = DataSet.of(data, clock.instant());
      if (files.bytes() == 0) {
        throw wrong("--data: %s holds no file with content".formatted(data));
      }
      for (DemoFile file : files.files()) {
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

  private void checkSpace(DataSet files) {
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

  private void write(DemoReport report) throws DemoFailure {
    reported = true;
    if (json == null) {
      return;
    }
    try {
      new ReportFile(json).write(report);
    } catch (IOException e) {
      throw new DemoFailure("The report could not be written to %s: %s".formatted(json, e), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("The report is in " + json);
    out.flush();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
