package io.hdfsraid.policies.pattern;

import io.hdfsraid.policies.pattern.CodePoints.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;

/** Reads a regular expression by recursive descent and writes it, from its end, as a program. */
final class RegexParser {
  private static final int MOST_REPETITIONS = 1_000;
  private static final int MOST_NESTED = 100;

  private final String regex;
  private final Program program;
  private int at;
  private int depth;

  RegexParser(String regex, Program program) {
    this.regex = regex;
    this.program = program;
  }

  /** A part of the expression: given the step after it, adds its own and gives the first. */
  private interface Part extends IntUnaryOperator {}

  /** The first step of the program. */
  int parse() {
    if (peek('^')) {
      at++;
    }
    Part whole = alternatives();
    if (at < regex.length()) {
      throw wrong("has a ')' without its '('");
    }
    return whole.applyAsInt(Program.END);
  }

  private Part alternatives() {
    Part one = sequence();
    while (peek('|')) {
      at++;
      Part left = one;
      Part right = sequence();
      one = then -> program.fork(left.applyAsInt(then), right.applyAsInt(then));
    }
    return one;
  }

  private Part sequence() {
    List<Part> parts = new ArrayList<>();
    while (at < regex.length() && !peek('|') && !peek(')')) {
      if (peek('$') && at == regex.length() - 1) {
        at++;
      } else {
        parts.add(repeated(atom()));
      }
    }
    return then -> {
      int first = then;
      for (int i = parts.size() - 1; i >= 0; i--) {
        first = parts.get(i).applyAsInt(first);
      }
      return first;
    };
  }

  private Part repeated(Part once) {
    int least;
    OptionalInt most;
    if (peek('*')) {
      at++;
      least = 0;
      most = OptionalInt.empty();
    } else if (peek('+')) {
      at++;
      least = 1;
      most = OptionalInt.empty();
    } else if (peek('?')) {
      at++;
      least = 0;
      most = OptionalInt.of(1);
    } else if (peek('{')) {
      at++;
      least = number();
      most = OptionalInt.of(least);
      if (peek(',')) {
        at++;
        most = peek('}') ? OptionalInt.empty() : OptionalInt.of(number());
      }
      expect('}');
      if (most.isPresent() && most.getAsInt() < least) {
        throw wrong("has a repetition whose end is before its beginning");
      }
    } else {
      return once;
    }
    if (peek('?')) {
      at++; // reluctant: which way is tried first does not change whether the whole matches
    }
    if (peek('+') || peek('*') || peek('{')) {
      throw wrong("has a repetition of a repetition; put the first one in parentheses");
    }
    return repeat(once, least, most);
  }

  private Part repeat(Part once, int least, OptionalInt most) {
    return then -> {
      int first = then;
      if (most.isEmpty()) {
        int fork = program.open(then);
        program.close(fork, once.applyAsInt(fork));
        first = fork;
      } else {
        for (int i = least; i < most.getAsInt(); i++) {
          first = program.fork(once.applyAsInt(first), then);
        }
      }
      for (int i = 0; i < least; i++) {
        int before = once.applyAsInt(first);
        if (before == first) {
          return first; // nothing, repeated: must not be tried a thousand times a thousand times
        }
        first = before;
      }
      return first;
    };
  }

  private int number() {
    int begin = at;
    while (at < regex.length() && regex.charAt(at) >= '0' && regex.charAt(at) <= '9') {
      at++;
    }
    if (at == begin || at - begin > 4) {
      throw wrong("has a '{' without a number of repetitions up to " + MOST_REPETITIONS);
    }
    int number = Integer.parseInt(regex.substring(begin, at));
    if (number > MOST_REPETITIONS) {
      throw wrong("repeats a part more than " + MOST_REPETITIONS + " times");
    }
    return number;
  }

  private Part atom() {
    int c = regex.codePointAt(at);
    switch (c) {
      case '(' -> {
        return group();
      }
      case '[' -> {
        return reading(brackets());
      }
      case '\\' -> {
        return reading(escaped());
      }
      case '.' -> {
        at++;
        return reading(CodePoints.ANY);
      }
      case '*', '+', '?', '{' -> throw wrong("has a repetition of nothing");
      case '^', '$' ->
          throw wrong("has a '%c' in its middle; it always matches the whole path".formatted(c));
      default -> {
        at += Character.charCount(c);
        return reading(CodePoints.of(c));
      }
    }
  }

  private Part reading(CodePoints set) {
    return then -> program.read(set, then);
  }

  private Part group() {
    at++;
    if (peek('?')) {
      if (!regex.startsWith("?:", at)) {
        throw wrong("has a special group; there are (…) and (?:…) only");
      }
      at += 2;
    }
    // Each level is a level of the stack.
    if (++depth > MOST_NESTED) {
      throw wrong("has more than " + MOST_NESTED + " groups within each other");
    }
    Part inside = alternatives();
    depth--;
    expect(')');
    return inside;
  }

  private CodePoints brackets() {
    at++;
    boolean negated = peek('^');
    if (negated) {
      at++;
    }
    CodePoints all = new CodePoints(List.of());
    boolean empty = true;
    while (empty || !peek(']')) {
      if (at >= regex.length()) {
        throw wrong("has a '[' without its ']'");
      }
      if (peek('[') || regex.startsWith("&&", at)) {
        throw wrong("has brackets within brackets, or '&&'; write \\[ or \\& for the character");
      }
      all = all.and(range());
      empty = false;
    }
    at++;
    return negated ? all.complement() : all;
  }

  private CodePoints range() {
    CodePoints from = one();
    boolean isRange =
        peek('-') && at + 1 < regex.length() && regex.charAt(at + 1) != ']' && isOne(from);
    if (!isRange) {
      return from;
    }
    at++;
    CodePoints to = one();
    int first = from.ranges().get(0).from();
    if (!isOne(to) || to.ranges().get(0).from() < first) {
      throw wrong("has a malformed range of characters");
    }
    return new CodePoints(List.of(new Range(first, to.ranges().get(0).from())));
  }

  private static boolean isOne(CodePoints set) {
    return set.ranges().size() == 1 && set.ranges().get(0).from() == set.ranges().get(0).to();
  }

  private CodePoints one() {
    int c = regex.codePointAt(at);
    if (c == '\\') {
      return escaped();
    }
    at += Character.charCount(c);
    return CodePoints.of(c);
  }

  private CodePoints escaped() {
    at++;
    if (at == regex.length()) {
      throw wrong("ends with a lone '\\'");
    }
    int c = regex.codePointAt(at);
    at += Character.charCount(c);
    return switch (c) {
      case 'd' -> CodePoints.DIGITS;
      case 'D' -> CodePoints.DIGITS.complement();
      case 'w' -> CodePoints.WORD;
      case 'W' -> CodePoints.WORD.complement();
      case 's' -> CodePoints.SPACE;
      case 'S' -> CodePoints.SPACE.complement();
      default -> {
        if (CodePoints.WORD.contains(c)) {
          throw wrong(
              "has '\\%c', which is not supported; there are \\d \\w \\s \\D \\W \\S, and no"
                      .formatted(c)
                  + " back-references");
        }
        yield CodePoints.of(c);
      }
    };
  }

  private boolean peek(char c) {
    return at < regex.length() && regex.charAt(at) == c;
  }

  private void expect(char c) {
    if (!peek(c)) {
      throw wrong("misses a '%c'".formatted(c));
    }
    at++;
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("%s, at character %d: '%s'".formatted(what, at + 1, regex));
  }
}
