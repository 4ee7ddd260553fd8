// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.repair;

import io.hdfsraid.blockfixer.repair.RepairStep;
import io.hdfsraid.drfs.step.StepListener;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The time of the repair workers by step. Each step gets the time since the previous step of the
 * same thread; the first step of a stripe gets the time since the last step of the stripe before.
 * Safe for concurrent use.
 */
final class RepairSplit implements StepListener {
  private final Map<Thread, Long> last = new ConcurrentHashMap<>();
  private final Map<RepairStep, LongAdder> nanos = new ConcurrentHashMap<>();
  private volatile long start = System.nanoTime();

  /** Nanoseconds before each step. */
  record Shares(Map<RepairStep, Long> nanos) {
    Shares {
      nanos = Map.copyOf(nanos);
    }

    static final Shares NONE = new Shares(Map.of());

    Shares plus(Shares other) {
      Map<RepairStep, Long> sum = new EnumMap<>(RepairStep.class);
      sum.putAll(nanos);
      other.nanos.forEach((step, more) -> sum.merge(step, more, Long::sum));
      return new Shares(sum);
    }

    /** In per cent of all, by the word for what is done before the step; together 100. */
    Map<String, Double> perCent() {
      long all = Math.max(1, nanos.values().stream().mapToLong(Long::longValue).sum());
      Map<String, Double> shares = new LinkedHashMap<>();
      for (RepairStep step : RepairStep.values()) {
        shares.put(word(step), 100.0 * nanos.getOrDefault(step, 0L) / all);
      }
      return shares;
    }

    private static String word(RepairStep step) {
      return switch (step) {
        case PLANNED -> "judge";
        case REBUILT -> "rebuild";
        case REPORTED -> "report";
        case DELIVERED -> "deliver";
        case CONFIRMED -> "confirm";
        default -> step.name().toLowerCase(Locale.ROOT);
      };
    }
  }

  /** A repair round begins. */
  void begin() {
    last.clear();
    nanos.clear();
    start = System.nanoTime();
  }

  @Override
  public void reached(Enum<?> step, String subject) {
    if (step instanceof RepairStep repair) {
      long now = System.nanoTime();
      Long before = last.put(Thread.currentThread(), now);
      nanos
          .computeIfAbsent(repair, none -> new LongAdder())
          .add(now - (before == null ? start : before));
    }
  }

  /** Since it began. */
  Shares shares() {
    Map<RepairStep, Long> now = new EnumMap<>(RepairStep.class);
    nanos.forEach((step, sum) -> now.put(step, sum.sum()));
    return new Shares(now);
  }
}
