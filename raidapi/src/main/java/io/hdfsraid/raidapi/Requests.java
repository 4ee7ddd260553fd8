package io.hdfsraid.raidapi;

import java.util.List;
import java.util.stream.Collectors;

/** What all requests check. */
final class Requests {
  private static final int MOST_NAMED = 3;

  private Requests() {}

  static String absolute(String path) {
    if (path == null || !path.startsWith("/")) {
      throw new IllegalArgumentException("path must be an absolute path, but is " + path);
    }
    return path;
  }

  /** Of these, exactly one is given. */
  static void one(String names, boolean... given) {
    int count = 0;
    for (boolean each : given) {
      count += each ? 1 : 0;
    }
    if (count != 1) {
      throw new IllegalArgumentException(
          "Exactly one of %s is to be given, but got %d".formatted(names, count));
    }
  }

  /** The path, or the stripes; everything when there is neither. */
  static String subject(String path, List<StripeId> stripes) {
    if (stripes.isEmpty()) {
      return path.isEmpty() ? "/" : path;
    }
    String named =
        stripes.stream().limit(MOST_NAMED).map(StripeId::toString).collect(Collectors.joining(","));
    return stripes.size() > MOST_NAMED
        ? "%s and %d more".formatted(named, stripes.size() - MOST_NAMED)
        : named;
  }
}
