// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import java.util.List;
import java.util.stream.Collectors;

/** Checks that several requests share. */
public final class Requests {
  /** Each is looked up while the sender waits. */
  public static final int MOST_STRIPES = 1_000;

  private static final int MOST_NAMED = 3;

  private Requests() {}

  /**
   * Returns the path.
   *
   * @throws IllegalArgumentException if no file of HDFS can have it
   */
  public static String absolute(String path) {
    if (path == null || !path.startsWith("/")) {
      throw new IllegalArgumentException("path must be an absolute path, but is " + path);
    }
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    if (end > 1) {
      for (String name : path.substring(1, end).split("/", -1)) {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.contains(":")) {
          throw new IllegalArgumentException(
              "path must be one that HDFS can have, but a name in %s is '%s'"
                  .formatted(path, name));
        }
      }
    }
    return path;
  }

  /** Requires that exactly one of several alternatives is given. */
  public static void one(String names, boolean... given) {
    int count = 0;
    for (boolean each : given) {
      count += each ? 1 : 0;
    }
    if (count != 1) {
      throw new IllegalArgumentException(
          "Exactly one of %s must be given, but got %d".formatted(names, count));
    }
  }

  /**
   * Returns the stripes, each once.
   *
   * @param given may be null
   * @throws IllegalArgumentException if there are too many of them
   */
  public static List<StripeId> stripes(List<StripeId> given) {
    List<StripeId> stripes = Absent.toEmpty(given).stream().distinct().toList();
    if (stripes.size() > MOST_STRIPES) {
      throw new IllegalArgumentException(
          "stripes may be %d at once, but are %d; a path names all stripes of its files"
              .formatted(MOST_STRIPES, stripes.size()));
    }
    return stripes;
  }

  /** Returns the path or the stripes of a request, or {@code /} if it has neither. */
  public static String subject(String path, List<StripeId> stripes) {
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
