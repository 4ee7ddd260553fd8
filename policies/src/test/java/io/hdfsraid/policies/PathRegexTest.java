// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathRegexTest {
  private static final String ALPHABET = "ab/.é😀";

  /** The JDK's own matcher says what is right, for expressions that both understand. */
  @Test
  void randomExpressionsMatchWhatTheJdkSaysTheyMatch() {
    Random random = new Random(4711);
    int matches = 0;
    for (int i = 0; i < 20_000; i++) {
      String regex = expression(random, 3);
      PathRegex pattern = PathRegex.of(regex);
      Pattern jdk = Pattern.compile(regex, Pattern.DOTALL);
      for (int j = 0; j < 10; j++) {
        String text = text(random, random.nextInt(8));
        boolean expected = jdk.matcher(text).matches();
        matches += expected ? 1 : 0;
        assertThat(pattern.matches(text)).as("%s on '%s'", regex, text).isEqualTo(expected);
      }
    }
    assertThat(matches).as("not only refusals were compared").isGreaterThan(5_000);
  }

  private static String expression(Random random, int depth) {
    StringBuilder all = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      all.append(atom(random, depth)).append(repetition(random));
    }
    if (random.nextInt(4) == 0) {
      all.append('|').append(atom(random, depth));
    }
    return all.toString();
  }

  private static String atom(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 6 : 8)) {
      case 0 -> ".";
      case 1 -> "[ab]";
      case 2 -> "[^a/]";
      case 3 -> "\\.";
      case 4 -> "[.-é]";
      case 5 -> text(random, 1).replace(".", "\\.");
      case 6 -> "(" + expression(random, depth - 1) + ")";
      default -> "(?:" + expression(random, depth - 1) + ")";
    };
  }

  private static String repetition(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> "*";
      case 1 -> "+";
      case 2 -> "?";
      case 3 -> "{2}";
      case 4 -> "{1,}";
      case 5 -> "{0,2}";
      case 6 -> "*?";
      default -> "";
    };
  }

  private static String text(Random random, int length) {
    int[] known = ALPHABET.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(known[random.nextInt(known.length)]);
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "^/a/b$ /a/b true",
        "/a /a/b false",
        "/dt=\\d{4}-\\d\\d /dt=2026-11 true",
        "/dt=\\d{4}-\\d\\d /dt=٢٠٢٦-11 false",
        "/\\w+\\W\\D /ab_-x true",
        "/[^\\d]+ /ab true",
        "/[^\\d]+ /a1 false",
        "/[]x-]+ /]-x true",
        "/(?:a|b|)c /c true",
        "/\\S*\\S /é true",
        "/a{2,3}? /aaa true",
        "/a{2,3}? /aaaa false"
      })
  void whatPoliciesNeedIsUnderstood(String regex, String text, boolean expected) {
    assertThat(PathRegex.of(regex).matches(text)).isEqualTo(expected);
    assertThat(Pattern.compile(regex).matcher(text).matches()).as("as the JDK").isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a(",
        "/a)",
        "/a[",
        "/a[]",
        "/a[b",
        "/[z-a]",
        "/[a-\\d]",
        "*",
        "/a**",
        "/a*+",
        "/a{",
        "/a{2",
        "/a{x}",
        "/a{3,2}",
        "/a{1001}",
        "/a{99999999999}",
        "(a)\\1",
        "(?=a)",
        "(?<n>a)",
        "/a\\b",
        "/a\\Q",
        "/a\\",
        "/a^b",
        "/a$b",
        "/[a[b]]",
        "/[a&&b]",
        "+a",
        "/a|*",
        "(a{500}){500}",
        "((((){1000}){1000}){1000})b",
        "((((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9}){9}){9}",
        "/a{2}{3}",
        "/\\pL",
        "/(?i)a"
      })
  void whatIsNotDocumentedIsRefusedAndShown(String regex) {
    assertThatThrownBy(() -> PathRegex.of(regex))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s)(has|ends|misses|repeats|is too large).*")
        .hasMessageEndingWith(": '" + regex + "'");
  }

  @Test
  void theMessageSaysWhereTheErrorIs() {
    assertThatThrownBy(() -> PathRegex.of("/a/(b|c"))
        .hasMessage("misses a ')', at character 8: '/a/(b|c'");
    assertThatThrownBy(() -> PathRegex.of("/a*/b**"))
        .hasMessage(
            "has a repetition of nothing, or of a repetition without parentheses,"
                + " at character 7: '/a*/b**'");
    assertThatThrownBy(() -> PathRegex.of("/[a-c]/[z-a]"))
        .hasMessage("has an error (invalid character class range) at 'z-a': '/[a-c]/[z-a]'");
  }

  /** With the JDK's matcher some of these do not end before the universe does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/(a+)+b",
        "/(a|aa)+b",
        "/(a*)*b",
        "/(.*a){20}b",
        "/.*a.{12}b",
        "/(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)b",
        "/((a?){20}){20}b",
        "/[^/]*a[^/]*a[^/]*a[^/]*a[^/]*a[^/]*b",
        "/(a{10}){90}b"
      })
  void noExpressionStallsOnAnyPath(String regex) {
    String longest = "/" + "a".repeat(7_999);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          PathRegex pattern = PathRegex.of(regex);
          assertThat(pattern.matches(longest)).isFalse();
        });
  }
}
