package io.hdfsraid.policies.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A regular expression that a whole string matches, or not. It has the usual parts
 *
 * <pre>
 * .  [a-c]  [^a-c]  \d \w \s \D \W \S  \.        characters
 * (…)  (?:…)  a|b                                groups, alternatives
 * *  +  ?  {3}  {3,}  {3,5}                      repetitions
 * </pre>
 *
 * and not those that make others take exponential time: no back-references, no look-around. {@code
 * ^} and {@code $} may stand at the ends and mean nothing, for it is always the whole string that
 * is matched. Immutable, for any thread.
 *
 * <p>Where its deterministic automaton is small it is made once, and a match looks each character
 * up; where it is not, all ways through the expression are followed side by side.
 */
public final class LinearPattern {
  /** Cells of the deterministic automaton: a quarter of a megabyte. */
  private static final int MOST_CELLS = 1 << 16;

  private static final int DEAD = 0;
  private static final int ASCII = 128;

  private final String regex;
  private final Program program;
  private final int first;

  /** Characters that no part of the expression tells apart are one class, numbered from 0. */
  private final int[] boundaries;

  private final int[] classOfAscii;

  /** {@code next[state * classes + class]}; empty where the automaton would be too large. */
  private final int[] next;

  private final boolean[] accepts;
  private final boolean[] settled;

  private LinearPattern(String regex, Program program, int first) {
    this.regex = regex;
    this.program = program;
    this.first = first;
    this.boundaries = program.boundaries();
    this.classOfAscii = new int[ASCII];
    for (int c = 0; c < ASCII; c++) {
      classOfAscii[c] = search(c);
    }
    List<int[]> rows = new ArrayList<>();
    List<BitSet> states = new ArrayList<>();
    boolean small = tabulate(rows, states);
    int classes = boundaries.length;
    this.next = new int[small ? rows.size() * classes : 0];
    this.accepts = new boolean[small ? rows.size() : 0];
    this.settled = new boolean[accepts.length];
    for (int state = 0; state < accepts.length; state++) {
      int self = state;
      System.arraycopy(rows.get(state), 0, next, state * classes, classes);
      accepts[state] = states.get(state).get(Program.END);
      settled[state] = Arrays.stream(rows.get(state)).allMatch(to -> to == self);
    }
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException saying, as a clause without subject, what cannot be read
   */
  public static LinearPattern of(String regex) {
    Objects.requireNonNull(regex, "regex");
    Program program = new Program();
    return new LinearPattern(regex, program, new RegexParser(regex, program).parse());
  }

  /** All sets of steps that can be reached; false when they are too many. */
  private boolean tabulate(List<int[]> rows, List<BitSet> states) {
    Map<BitSet, Integer> numbers = new HashMap<>();
    states.add(new BitSet());
    numbers.put(states.get(DEAD), DEAD);
    int[] scratch = program.scratch();
    BitSet begin = program.begin(first, scratch);
    states.add(begin);
    numbers.put(begin, 1);
    for (int state = 0; state < states.size(); state++) {
      if ((states.size() + 1) * boundaries.length > MOST_CELLS) {
        return false;
      }
      int[] row = new int[boundaries.length];
      for (int c = 0; c < row.length; c++) {
        BitSet to = program.next(states.get(state), boundaries[c], scratch);
        Integer known = numbers.putIfAbsent(to, states.size());
        row[c] = known == null ? states.size() : known;
        if (known == null) {
          states.add(to);
        }
      }
      rows.add(row);
    }
    return true;
  }

  private int search(int codePoint) {
    int at = Arrays.binarySearch(boundaries, codePoint);
    return at >= 0 ? at : -at - 2;
  }

  public boolean matches(String text) {
    return next.length > 0 ? lookUp(text) : follow(text);
  }

  private boolean lookUp(String text) {
    int classes = boundaries.length;
    int state = 1;
    int at = 0;
    while (at < text.length()) {
      if (settled[state]) {
        return accepts[state];
      }
      char c = text.charAt(at);
      if (c < ASCII) {
        state = next[state * classes + classOfAscii[c]];
        at++;
      } else {
        int codePoint = text.codePointAt(at);
        state = next[state * classes + search(codePoint)];
        at += Character.charCount(codePoint);
      }
    }
    return accepts[state];
  }

  private boolean follow(String text) {
    int[] scratch = program.scratch();
    BitSet states = program.begin(first, scratch);
    int at = 0;
    while (at < text.length() && !states.isEmpty()) {
      int codePoint = text.codePointAt(at);
      states = program.next(states, codePoint, scratch);
      at += Character.charCount(codePoint);
    }
    return states.get(Program.END);
  }

  /** Whether a match looks characters up, and does not follow all ways. */
  boolean isTabulated() {
    return next.length > 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LinearPattern that && regex.equals(that.regex);
  }

  @Override
  public int hashCode() {
    return regex.hashCode();
  }

  /** The expression as it was written. */
  @Override
  public String toString() {
    return regex;
  }
}
