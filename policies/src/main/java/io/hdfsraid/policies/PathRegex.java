// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.regex.Matcher;

/**
 * A regular expression that the whole path of a file matches, or not. It has the usual parts
 *
 * <pre>
 * .  [a-c]  [^a-c]  \d \w \s \D \W \S  \.        characters
 * (…)  (?:…)  a|b                                groups, alternatives
 * *  +  ?  {3}  {3,}  {3,5}                      repetitions
 * </pre>
 *
 * {@code ^} and {@code $} may stand at the ends and mean nothing, because the whole path is always
 * matched. RE2/J matches in a time that grows with the length of the path only. Other syntax is
 * refused, also where RE2/J has a meaning for it, so that this list is complete.
 */
public final class PathRegex {
  private final String regex;
  private final Pattern pattern;

  private PathRegex(String regex) {
    this.regex = regex;
    this.pattern = Pattern.compile(regex, Pattern.DOTALL);
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException saying, as a clause without subject, what is wrong and where
   */
  public static PathRegex of(String regex) {
    Objects.requireNonNull(regex, "regex");
    new Check(regex).run();
    try {
      return new PathRegex(regex);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "has an error (%s) at '%s': '%s'".formatted(e.getDescription(), e.getPattern(), regex),
          e);
    }
  }

  public boolean matches(String path) {
    return pattern.matches(path);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathRegex that && regex.equals(that.regex);
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

  /**
   * One pass over an expression that refuses undocumented syntax. It also refuses expressions that
   * are too large for RE2/J, which writes repetitions out: {@code ((a{1000}){1000}){1000}} would
   * take all memory.
   */
  private static final class Check {
    /** More than any path needs. The time of a match grows with this number. */
    private static final int MOST_CHARACTERS = 1_000;

    private static final int MOST_REPETITIONS = 1_000;
    private static final int MOST_NESTED = 100;
    private static final java.util.regex.Pattern REPETITION =
        java.util.regex.Pattern.compile("\\{(\\d{1,4})(,(\\d{1,4})?)?}");

    private final String regex;
    private int at;

    /** The sizes of the groups around the current group, as far as they have been read. */
    private final Deque<Long> outer = new ArrayDeque<>();

    /** The characters of the current group so far, repetitions written out. */
    private long size;

    /** The size of the part that a repetition would repeat; 0 where there is none. */
    private long part;

    Check(String regex) {
      this.regex = regex;
    }

    void run() {
      while (at < regex.length()) {
        switch (regex.charAt(at)) {
          case '(' -> open();
          case ')' -> close();
          case '[' -> brackets();
          case '\\' -> {
            escape();
            part(1);
          }
          case '*', '+', '?', '{' -> repeat();
          case '|' -> {
            at++;
            part = 0;
          }
          case '^', '$' -> end();
          default -> {
            at++;
            part(1);
          }
        }
      }
      if (!outer.isEmpty()) {
        throw wrong("misses a ')'");
      }
    }

    private void part(long characters) {
      part = characters;
      grow(characters);
    }

    private void grow(long characters) {
      size += characters;
      if (size > MOST_CHARACTERS) {
        throw wrong(
            "is too large: it has more than %d characters once all repetitions are written out"
                .formatted(MOST_CHARACTERS));
      }
    }

    private void repeat() {
      if (part == 0) {
        throw wrong("has a repetition of nothing, or of a repetition without parentheses");
      }
      int times = 1;
      if (regex.startsWith("{", at)) {
        times = times();
      } else {
        at++;
      }
      grow(part * Math.max(0, times - 1));
      part = 0;
      if (regex.startsWith("?", at)) {
        at++; // reluctant, which does not change whether the whole path matches
      }
    }

    private int times() {
      Matcher matcher = REPETITION.matcher(regex).region(at, regex.length());
      if (!matcher.lookingAt()) {
        throw wrong("has a '{' without numbers of repetitions such as {3}, {3,} or {3,5}");
      }
      int least = Integer.parseInt(matcher.group(1));
      int most = matcher.group(3) == null ? least : Integer.parseInt(matcher.group(3));
      if (most < least) {
        throw wrong("has a repetition whose end is before its beginning");
      }
      if (most > MOST_REPETITIONS) {
        throw wrong("repeats a part more than " + MOST_REPETITIONS + " times");
      }
      at = matcher.end();
      return most;
    }

    private void open() {
      boolean special = regex.startsWith("(?", at);
      if (special && !regex.startsWith("(?:", at)) {
        throw wrong("has a special group; there are (…) and (?:…) only");
      }
      if (outer.size() == MOST_NESTED) {
        throw wrong("has more than " + MOST_NESTED + " groups within each other");
      }
      outer.push(size);
      size = 0;
      part = 0;
      at += special ? 3 : 1;
    }

    private void close() {
      if (outer.isEmpty()) {
        throw wrong("has a ')' without its '('");
      }
      at++;
      long group = size + 1; // RE2/J notes where a group is, so that none is empty
      size = outer.pop();
      part(group);
    }

    private void brackets() {
      at += regex.startsWith("[^", at) ? 2 : 1;
      int first = at;
      while (at == first || !regex.startsWith("]", at)) {
        if (at >= regex.length()) {
          throw wrong("has a '[' without its ']'");
        }
        if (regex.startsWith("[", at) || regex.startsWith("&&", at)) {
          throw wrong("has brackets within brackets, or '&&'; write \\[ or \\& for the character");
        }
        if (regex.startsWith("\\", at)) {
          escape();
        } else {
          at++;
        }
      }
      at++;
      part(1);
    }

    private void escape() {
      at++;
      if (at == regex.length()) {
        throw wrong("ends with a lone '\\'");
      }
      char c = regex.charAt(at);
      boolean word = c < 128 && (Character.isLetterOrDigit(c) || c == '_');
      if (word && "dDwWsS".indexOf(c) < 0) {
        throw wrong(
            "has '\\%c', which is not supported; there are \\d \\w \\s \\D \\W \\S, and no back-references"
                .formatted(c));
      }
      at++;
    }

    private void end() {
      if (at != (regex.charAt(at) == '^' ? 0 : regex.length() - 1)) {
        throw wrong(
            "has a '%c' in its middle; it always matches the whole path"
                .formatted(regex.charAt(at)));
      }
      at++;
      part = 0;
    }

    private IllegalArgumentException wrong(String what) {
      return new IllegalArgumentException(
          "%s, at character %d: '%s'".formatted(what, at + 1, regex));
    }
  }
}
