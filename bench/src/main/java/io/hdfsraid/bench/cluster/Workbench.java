// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.cluster;

import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.rescue.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The temporary directory of a benchmark, with an HDFS of its own. It is removed at the end. */
public final class Workbench {
  private static final String HDFS = "hdfs";
  private static final String LOG = "bench.log";
  private static final long ROOM_FOR_THE_REST = 512L << 20;

  private final Workspace workspace;

  private Workbench(Workspace workspace) {
    this.workspace = workspace;
  }

  /** What is done on a workbench. */
  @FunctionalInterface
  public interface Work {
    BenchOptions.Measured on(Workbench workbench) throws IOException;
  }

  /** What is done on an HDFS. */
  @FunctionalInterface
  public interface Use<T> {
    T of(BenchCluster cluster) throws IOException;
  }

  /**
   * Ends the command, before anything is measured, when there is not enough room.
   *
   * @param bytes of replicas on disk at most
   */
  public static void requireSpace(long bytes, BenchOptions options) {
    long needed = bytes + ROOM_FOR_THE_REST;
    long free;
    try {
      free = Workspace.free();
    } catch (IOException e) {
      throw options.wrong("The directory for temporary files cannot be used: " + e);
    }
    if (free < needed) {
      throw options.wrong(
          "This needs %s in %s, but there are %s free: free some, set TMPDIR, or ask for fewer files"
              .formatted(Screen.bytes(needed), Workspace.parent(), Screen.bytes(free)));
    }
  }

  /** Makes one, and turns what goes wrong into words for the screen. */
  public static BenchOptions.Measured measure(Work work) {
    try (Workspace workspace = Workspace.create("bench")) {
      workspace.logTo(LOG);
      try {
        return work.on(new Workbench(workspace));
      } catch (IOException | RuntimeException e) {
        throw failure(e, workspace);
      }
    } catch (IOException e) {
      throw new ShellException(ExitCode.IO, "The temporary directory failed: " + e, "");
    }
  }

  /** Starts an HDFS, and removes it afterwards. */
  public <T> T onHdfs(BenchSettings settings, Use<T> use) throws IOException {
    return onHdfs(settings, Map.of(), use);
  }

  /**
   * Starts an HDFS, and removes it afterwards.
   *
   * @param more keys of {@code hdfs-site.xml}
   */
  public <T> T onHdfs(BenchSettings settings, Map<String, String> more, Use<T> use)
      throws IOException {
    EmbeddedHdfs.Builder builder =
        EmbeddedHdfs.builder()
            .dataNodes(settings.dataNodes())
            .racks(settings.racks())
            .blockSize(settings.blockBytes())
            .directory(workspace.directory(HDFS))
            // Ctrl-C ends it in order; Hadoop would close under it what it still uses.
            .set("fs.automatic.close", "false");
    more.forEach(builder::set);
    EmbeddedHdfs hdfs = builder.start();
    try (WorkerPool crew = new WorkerPool(settings.workers())) {
      return use.of(new BenchCluster(hdfs, settings, crew));
    } finally {
      if (!workspace.isEnding()) {
        hdfs.close();
        workspace.remove(HDFS);
      }
    }
  }

  /** A new directory, to be removed by {@link #remove}. */
  public Path directory(String name) {
    return workspace.directory(name);
  }

  public void remove(String name) throws IOException {
    workspace.remove(name);
  }

  private static ShellException failure(Exception e, Workspace workspace) {
    if (workspace.isEnding()) {
      return new ShellException(ExitCode.IO, "Interrupted", "");
    }
    try {
      return new ShellException(
          ExitCode.IO,
          "Nothing was measured: %s".formatted(e),
          "The log is in " + workspace.rescue(LOG));
    } catch (IOException noLog) {
      return new ShellException(ExitCode.IO, "Nothing was measured: %s".formatted(e), "");
    }
  }
}
