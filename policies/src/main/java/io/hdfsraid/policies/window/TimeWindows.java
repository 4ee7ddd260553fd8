// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.window;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The times at which work may be done: within any window, if there are windows, and outside all
 * blackouts. Where windows overlap, the highest intensity counts. Several layers (those of the
 * cluster and those of a policy) must all be open; the lowest of their intensities counts.
 */
public final class TimeWindows {
  /** Always open. */
  public static final TimeWindows NONE = new TimeWindows(List.of());

  /** Everything comes again within a week; a change of the clocks may put it off by one. */
  private static final int DAYS_TO_LOOK = 16;

  private final List<Layer> layers;

  private TimeWindows(List<Layer> layers) {
    this.layers = List.copyOf(layers);
  }

  public static TimeWindows of(
      List<WeeklyWindow> windows, List<WeeklyWindow> blackouts, ZoneId zone) {
    return windows.isEmpty() && blackouts.isEmpty()
        ? NONE
        : new TimeWindows(List.of(new Layer(windows, blackouts, zone)));
  }

  /** Open only where these and the others are. */
  public TimeWindows within(TimeWindows others) {
    List<Layer> both = new ArrayList<>(others.layers);
    both.addAll(layers);
    return new TimeWindows(both);
  }

  /** Some windows and blackouts of one time zone. */
  private record Layer(List<WeeklyWindow> windows, List<WeeklyWindow> blackouts, ZoneId zone) {
    private Layer {
      windows = List.copyOf(windows);
      blackouts = List.copyOf(blackouts);
    }

    WindowState at(Instant moment) {
      LocalDateTime local = LocalDateTime.ofInstant(moment, zone);
      for (WeeklyWindow blackout : blackouts) {
        if (blackout.contains(local)) {
          return closed("in the blackout " + blackout);
        }
      }
      if (windows.isEmpty()) {
        return open(WeeklyWindow.FULL, "outside all blackouts");
      }
      Optional<WeeklyWindow> best = Optional.empty();
      for (WeeklyWindow window : windows) {
        if (window.contains(local)
            && window.intensity() > best.map(WeeklyWindow::intensity).orElse(-1)) {
          best = Optional.of(window);
        }
      }
      return best.map(
              window ->
                  window.intensity() == 0
                      ? closed("in the window " + window)
                      : open(window.intensity(), "in the window " + window))
          .orElseGet(() -> closed("outside all windows"));
    }

    private WindowState open(int intensity, String why) {
      return new WindowState(true, intensity, Optional.empty(), why + " (" + zone + ")");
    }

    private WindowState closed(String why) {
      return new WindowState(false, 0, Optional.empty(), why + " (" + zone + ")");
    }

    /** Every moment of the days from one to the other at which anything of the layer may change. */
    void changes(Instant from, Instant to, NavigableSet<Instant> into) {
      ZoneRules rules = zone.getRules();
      LocalDate last = LocalDate.ofInstant(to, zone);
      for (LocalDate day = LocalDate.ofInstant(from, zone);
          !day.isAfter(last);
          day = day.plusDays(1)) {
        addAll(day.atStartOfDay(), rules, into);
        for (List<WeeklyWindow> list : List.of(windows, blackouts)) {
          for (WeeklyWindow window : list) {
            addAll(LocalDateTime.of(day, window.from()), rules, into);
            addAll(LocalDateTime.of(day, window.to().orElse(LocalTime.MIDNIGHT)), rules, into);
          }
        }
      }
      // The clock on the wall jumps then, and may jump over the beginning or end of a window.
      ZoneOffsetTransition jump = rules.nextTransition(from);
      if (jump != null) {
        into.add(jump.getInstant());
      }
    }

    /** No, one or two moments: as often as a clock on the wall shows this. */
    private static void addAll(LocalDateTime local, ZoneRules rules, NavigableSet<Instant> into) {
      for (ZoneOffset offset : rules.getValidOffsets(local)) {
        into.add(local.toInstant(offset));
      }
    }
  }

  /** Whether work may be done at this moment, and when that changes. */
  public WindowState at(Instant moment) {
    WindowState now = without(moment);
    Optional<Instant> until = Optional.empty();
    for (int day = 0; day < DAYS_TO_LOOK && until.isEmpty(); day++) {
      Instant from = moment.plus(Duration.ofDays(day));
      until = change(now, from, from.plus(Duration.ofDays(1)));
    }
    return new WindowState(now.open(), now.intensity(), until, now.why());
  }

  /** The first moment after the one, up to the other, at which it is not as now. */
  private Optional<Instant> change(WindowState now, Instant from, Instant to) {
    NavigableSet<Instant> changes = new TreeSet<>();
    layers.forEach(layer -> layer.changes(from, to, changes));
    return changes.subSet(from, false, to, true).stream()
        .filter(change -> !without(change).allowsTheSame(now))
        .findFirst();
  }

  /** As {@link #at(Instant)}, but for what an operator wants; that counts before all else. */
  public WindowState at(Instant moment, Optional<ManualOverride> wanted) {
    Optional<ManualOverride> holds = wanted.filter(override -> override.holdsAt(moment));
    if (holds.isEmpty()) {
      return at(moment);
    }
    boolean open = holds.get().state() == ManualOverride.State.OPEN;
    Instant end = holds.get().until();
    String why = "an operator wants it %s until %s".formatted(open ? "open" : "closed", end);
    WindowState now = new WindowState(open, open ? WeeklyWindow.FULL : 0, Optional.of(end), why);
    WindowState then = at(end);
    return then.allowsTheSame(now)
        ? new WindowState(now.open(), now.intensity(), then.until(), why)
        : now;
  }

  /** The answer without its end. */
  private WindowState without(Instant moment) {
    WindowState lowest =
        new WindowState(true, WeeklyWindow.FULL, Optional.empty(), "there are no windows");
    boolean first = true;
    for (Layer layer : layers) {
      WindowState here = layer.at(moment);
      if (!here.open()) {
        return here;
      }
      if (first || here.intensity() < lowest.intensity()) {
        lowest = here;
      }
      first = false;
    }
    return lowest;
  }

  /** All days of the week. */
  public static EnumSet<DayOfWeek> everyDay() {
    return EnumSet.allOf(DayOfWeek.class);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TimeWindows that && layers.equals(that.layers);
  }

  @Override
  public int hashCode() {
    return layers.hashCode();
  }

  /** For people: windows, then blackouts, of each layer. */
  @Override
  public String toString() {
    if (layers.isEmpty()) {
      return "always";
    }
    List<String> parts = new ArrayList<>();
    for (Layer layer : layers) {
      layer.windows().forEach(window -> parts.add(window + " (" + layer.zone() + ")"));
      layer
          .blackouts()
          .forEach(blackout -> parts.add("not " + blackout + " (" + layer.zone() + ")"));
    }
    return String.join(", ", parts);
  }
}
