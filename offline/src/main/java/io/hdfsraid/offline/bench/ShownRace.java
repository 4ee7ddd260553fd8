package io.hdfsraid.offline.bench;

import io.hdfsraid.offline.output.Progress;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** A race with a bar for each half of it: warming up, and measuring. */
final class ShownRace implements Race.Spectator, AutoCloseable {
  private final PrintWriter out;
  private final boolean interactive;
  private final int slices;
  private Progress bar;
  private boolean measuring;

  private ShownRace(PrintWriter out, boolean interactive, int rivals, int slices) {
    this.out = out;
    this.interactive = interactive;
    this.slices = slices;
    this.bar = new Progress(out, interactive, "Warmed up", rivals, Progress.Unit.ITEMS);
  }

  /** Runs it, see {@link Race#run}. */
  static Map<String, Outcome> run(
      List<Heat> heats, Race.Pace pace, PrintWriter out, boolean interactive) {
    try (ShownRace shown =
        new ShownRace(out, interactive, Race.rivals(heats), Race.slices(heats) * pace.rounds())) {
      return new Race(pace, Race.Clocks.ofThread()).run(heats, shown);
    }
  }

  @Override
  public void warm(int rivals) {
    bar.step(rivals);
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
