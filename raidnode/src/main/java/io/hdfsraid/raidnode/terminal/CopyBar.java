// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.terminal;

import java.io.OutputStream;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar with amount, rate and remaining time of a copy; nothing where no terminal shows it. */
public final class CopyBar implements AutoCloseable {
  private static final int COLUMNS = 80;
  private static final int MIB = 1 << 20;

  private final ProgressBar bar;

  /** Begins with nothing copied of so many bytes. */
  public CopyBar(PrintStream err, long bytes) {
    // The launcher says so: Java cannot tell what shows stderr.
    boolean shown = !Boolean.getBoolean("hdfsraid.stderr-to-file");
    PrintStream out = shown ? err : new PrintStream(OutputStream.nullOutputStream());
    bar =
        new ProgressBarBuilder()
            .setTaskName("Copy")
            .setInitialMax(bytes)
            .setUnit(" MiB", MIB)
            .setStyle(ProgressBarStyle.ASCII)
            .setMaxRenderedLength(COLUMNS)
            .setConsumer(new ConsoleProgressBarConsumer(out, COLUMNS))
            .showSpeed()
            .build();
  }

  public void copied(long bytes) {
    bar.stepBy(bytes);
  }

  @Override
  public void close() {
    bar.close();
  }
}
