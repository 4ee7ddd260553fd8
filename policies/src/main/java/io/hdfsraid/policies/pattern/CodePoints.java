package io.hdfsraid.policies.pattern;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A set of code points, as the ranges it consists of. */
record CodePoints(List<Range> ranges) {
  static final CodePoints ANY = new CodePoints(List.of(new Range(0, Character.MAX_CODE_POINT)));
  static final CodePoints DIGITS = new CodePoints(List.of(new Range('0', '9')));
  static final CodePoints WORD =
      new CodePoints(
          List.of(
              new Range('0', '9'), new Range('A', 'Z'), new Range('_', '_'), new Range('a', 'z')));
  static final CodePoints SPACE =
      new CodePoints(List.of(new Range('\t', '\r'), new Range(' ', ' ')));

  /** Both ends belong to it. */
  record Range(int from, int to) {}

  CodePoints {
    ranges = List.copyOf(ranges);
  }

  static CodePoints of(int codePoint) {
    return new CodePoints(List.of(new Range(codePoint, codePoint)));
  }

  CodePoints and(CodePoints others) {
    List<Range> all = new ArrayList<>(ranges);
    all.addAll(others.ranges);
    return new CodePoints(all);
  }

  CodePoints complement() {
    BitSet in = new BitSet();
    ranges.forEach(range -> in.set(range.from, range.to + 1));
    List<Range> out = new ArrayList<>();
    int at = in.nextClearBit(0);
    while (at <= Character.MAX_CODE_POINT) {
      int end = in.nextSetBit(at);
      out.add(new Range(at, end < 0 ? Character.MAX_CODE_POINT : end - 1));
      at = end < 0 ? Character.MAX_CODE_POINT + 1 : in.nextClearBit(end);
    }
    return new CodePoints(out);
  }

  boolean contains(int codePoint) {
    for (Range range : ranges) {
      if (range.from <= codePoint && codePoint <= range.to) {
        return true;
      }
    }
    return false;
  }
}
