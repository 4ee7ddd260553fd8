// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
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
  private static final int MOST_COLUMNS = 100;
  private static final int USUAL_COLUMNS = 80;

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
    this(out, interactive, task, new Begun(0, Duration.ZERO), most, unit);
  }

  /**
   * What was done before anybody looked.
   *
   * @param time how long that took
   */
  public record Begun(long amount, Duration time) {}

  /** Creates the bar of a task that has begun already. */
  public Progress(
      PrintWriter out, boolean interactive, String task, Begun begun, long most, Unit unit) {
    this.out = out;
    this.task = task;
    this.unit = unit;
    ProgressBarBuilder builder =
        new ProgressBarBuilder()
            .setTaskName(FittedText.cut(task, width() / 2))
            .setInitialMax(most)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .startsFrom(begun.amount(), begun.time())
            .setMaxRenderedLength(width())
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

  /** The last column stays empty: a terminal may begin a new line after it. */
  private static int width() {
    int columns = TerminalSize.known().map(TerminalSize::columns).orElse(USUAL_COLUMNS);
    return Math.max(1, Math.min(MOST_COLUMNS, columns - 1));
  }

  /** Changes how much there is to do. */
  public void outOf(long most) {
    bar.maxHint(most);
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
      return width();
    }

    @Override
    public void accept(String rendered) {
      out.print('\r' + rendered);
      out.flush();
    }

    @Override
    public void clear() {
      accept(" ".repeat(width()) + '\r');
    }

    @Override
    public void close() {
      clear();
    }
  }

  private record Nowhere() implements ProgressBarConsumer {
    @Override
    public int getMaxRenderedLength() {
      return width();
    }

    @Override
    public void accept(String rendered) {}

    @Override
    public void close() {}
  }
}
