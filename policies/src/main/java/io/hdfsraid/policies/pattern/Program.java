package io.hdfsraid.policies.pattern;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A nondeterministic automaton as steps that lead to other steps (Thompson, "Regular Expression
 * Search Algorithm", 1968). Step 0 is where it ends; a step either reads a character or leads on
 * without.
 */
final class Program {
  static final int END = 0;

  /** More than any path pattern needs, little enough to run beside others. */
  static final int MOST_STEPS = 1_000;

  private final List<Step> steps = new ArrayList<>();

  /**
   * A step.
   *
   * @param reads empty: leads on without reading
   * @param or another step that it leads to; the same where there is one only
   */
  private record Step(Optional<CodePoints> reads, int to, int or) {}

  Program() {
    steps.add(new Step(Optional.empty(), END, END));
  }

  /** The number of a new step that reads one of these and goes on there. */
  int read(CodePoints any, int to) {
    return add(new Step(Optional.of(any), to, to));
  }

  /** The number of a new step that goes on there or there. */
  int fork(int to, int or) {
    return add(new Step(Optional.empty(), to, or));
  }

  /** A fork whose first way is not known yet: {@link #close} tells it. */
  int open(int or) {
    return add(new Step(Optional.empty(), or, or));
  }

  void close(int fork, int to) {
    steps.set(fork, new Step(Optional.empty(), to, steps.get(fork).or()));
  }

  private int add(Step step) {
    if (steps.size() == MOST_STEPS) {
      throw new IllegalArgumentException(
          "is too large: it has more than %d characters once all repetitions are written out"
              .formatted(MOST_STEPS));
    }
    steps.add(step);
    return steps.size() - 1;
  }

  /** What {@link #begin} and {@link #next} scribble on; one for each thread. */
  int[] scratch() {
    return new int[2 * steps.size() + 1];
  }

  /** Where the automaton can be before it reads anything. */
  BitSet begin(int first, int[] scratch) {
    BitSet at = new BitSet(steps.size());
    enter(first, at, scratch);
    return at;
  }

  /** Where it can be after this character. */
  BitSet next(BitSet at, int codePoint, int[] scratch) {
    BitSet next = new BitSet(steps.size());
    for (int i = at.nextSetBit(0); i >= 0; i = at.nextSetBit(i + 1)) {
      Step step = steps.get(i);
      if (step.reads().isPresent() && step.reads().get().contains(codePoint)) {
        enter(step.to(), next, scratch);
      }
    }
    return next;
  }

  private void enter(int first, BitSet at, int[] open) {
    int count = 0;
    open[count++] = first;
    while (count > 0) {
      int number = open[--count];
      if (!at.get(number)) {
        at.set(number);
        Step step = steps.get(number);
        if (step.reads().isEmpty() && number != END) {
          open[count++] = step.to();
          open[count++] = step.or();
        }
      }
    }
  }

  /** Every code point at which some step begins or ceases to read, ascending from 0. */
  int[] boundaries() {
    BitSet boundaries = new BitSet();
    boundaries.set(0);
    for (Step step : steps) {
      step.reads()
          .ifPresent(
              set ->
                  set.ranges()
                      .forEach(
                          range -> {
                            boundaries.set(range.from());
                            boundaries.set(range.to() + 1);
                          }));
    }
    return boundaries.stream().filter(at -> at <= Character.MAX_CODE_POINT).toArray();
  }
}
