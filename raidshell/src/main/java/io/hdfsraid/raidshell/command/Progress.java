// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A progress bar with amount, rate and remaining time, and one line when the task is done. If no
 * terminal shows the output, only that line is printed.
 */
public final class Progress implements AutoCloseable {
  private static final int WIDTH = 100;

  /** The unit of the amount. */
  public enum Unit {
    BYTES,
    ITEMS
  }

  private final PrintWriter out;
  private final String task;
  private final Unit unit;
  private final ProgressBar bar;

  public Progress(PrintWriter out, boolean interactive, String task, long most, Unit unit) {
    this.out = out;
    this.task = task;
    this.unit = unit;
    ProgressBarBuilder builder =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(most)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .setMaxRenderedLength(WIDTH)
            .setConsumer(interactive ? new Line(out) : new Nowhere());
    if (unit == Unit.BYTES) {
      builder
          .setUnit(" MiB", 1 << 20)
          .showSpeed(new DecimalFormat("0.0", DecimalFormatSymbols.getInstance(Locale.ROOT)));
    }
    this.bar = builder.build();
  }

  public void step(long more) {
    bar.stepBy(more);
  }

  public void stepTo(long amount) {
    bar.stepTo(amount);
  }

  @Override
  public void close() {
    bar.close();
    long amount = bar.getCurrent();
    double seconds = Math.max(0.001, bar.getTotalElapsed().toMillis() / 1000.0);
    out.println(
        unit == Unit.BYTES
            ? String.format(
                Locale.ROOT,
                "%s: %s in %.1f s, %s/s",
                task,
                Screen.bytes(amount),
                seconds,
                Screen.bytes((long) (amount / seconds)))
            : String.format(Locale.ROOT, "%s: %d in %.1f s", task, amount, seconds));
    out.flush();
  }

  /** The line of a terminal, written again and again, and left empty. */
  private record Line(PrintWriter out) implements ProgressBarConsumer {
    @Override
    public int getMaxRenderedLength() {
      return WIDTH;
    }

    @Override
    public void accept(String rendered) {
      out.print('\r' + rendered);
      out.flush();
    }

    @Override
    public void clear() {
      accept(" ".repeat(WIDTH) + '\r');
    }

    @Override
    public void close() {
      clear();
    }
  }

  private record Nowhere() implements ProgressBarConsumer {
    @Override
    public int getMaxRenderedLength() {
      return WIDTH;
    }

    @Override
    public void accept(String rendered) {}

    @Override
    public void close() {}
  }
}
