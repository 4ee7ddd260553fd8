// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.settings;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Guesses which key a misspelt word was meant to be. */
public final class Spelling {
  private Spelling() {}

  /** The known word nearest to the given one, when it is near enough to be a slip. */
  public static Optional<String> nearest(String word, List<String> known) {
    String lower = word.toLowerCase(Locale.ROOT);
    return known.stream()
        .min(Comparator.comparingInt(other -> distance(lower, other.toLowerCase(Locale.ROOT))))
        .filter(other -> distance(lower, other.toLowerCase(Locale.ROOT)) <= 1 + word.length() / 4);
  }

  /** The answer to a key that is not known: the one that was meant, or all there are. */
  public static String unknownKey(String key, List<String> known) {
    return "is not a key here; "
        + nearest(key, known)
            .map(meant -> "did you mean " + meant + "?")
            .orElseGet(() -> "the keys are " + String.join(", ", known));
  }

  /** Characters to insert, remove or replace (Levenshtein 1965), one row at a time. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
