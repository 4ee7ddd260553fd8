// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.measure;

import io.hdfsraid.raidshell.command.Progress;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** An interleaved run with one progress bar for the warm-up and one for the measurement. */
public final class RunProgress implements InterleavedRun.Listener, AutoCloseable {
  private final PrintWriter out;
  private final boolean interactive;
  private final int slices;
  private Progress bar;
  private boolean measuring;

  private RunProgress(PrintWriter out, boolean interactive, int tasks, int slices) {
    this.out = out;
    this.interactive = interactive;
    this.slices = slices;
    this.bar = new Progress(out, interactive, "Warmed up", tasks, Progress.Unit.ITEMS);
  }

  /** Runs the tasks, see {@link InterleavedRun#run}. */
  public static Map<String, TaskSpeed> run(
      List<InterleavedTasks> groups,
      InterleavedRun.Pace pace,
      PrintWriter out,
      boolean interactive) {
    try (RunProgress shown =
        new RunProgress(
            out,
            interactive,
            InterleavedRun.tasks(groups),
            InterleavedRun.slices(groups) * pace.rounds())) {
      return new InterleavedRun(pace, InterleavedRun.Clocks.ofThread()).run(groups, shown);
    }
  }

  @Override
  public void warm(int tasks) {
    bar.step(tasks);
  }

  @Override
  public void measured() {
    if (!measuring) {
      measuring = true;
      bar.close();
      bar = new Progress(out, interactive, "Measured slices", slices, Progress.Unit.ITEMS);
    }
    bar.step(1);
  }

  @Override
  public void close() {
    bar.close();
  }
}
