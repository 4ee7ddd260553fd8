// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each way in which the ancestor lost data is held by tests that are there. */
class LostDataTest {
  private static final int WAYS = 26;
  private static final String NOT_HERE = "Not here";
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
  private static final Document DOCUMENT =
      Document.of(Document.PROJECT.resolve("docs/lost-data.md"));
  private static final Map<String, String> TESTS = testClasses();

  private static Map<String, String> testClasses() {
    try (Stream<Path> top = Files.list(Document.PROJECT)) {
      return top.map(module -> module.resolve("src/test/java"))
          .filter(Files::isDirectory)
          .flatMap(LostDataTest::testsBelow)
          .collect(Collectors.toMap(LostDataTest::className, LostDataTest::text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> testsBelow(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith("Test.java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String className(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<List<String>> rows(String heading) {
    return DOCUMENT.tables(heading).get(0).rows();
  }

  static List<List<String>> ways() {
    return rows("#");
  }

  static List<List<String>> scenarios() {
    return rows("Ancestor's test");
  }

  static List<List<String>> reports() {
    return rows("Report");
  }

  static List<List<String>> accidents() {
    return rows("What");
  }

  @Test
  void allOfThemAreThere() {
    assertThat(ways())
        .extracting(row -> Integer.parseInt(row.get(0)))
        .isEqualTo(IntStream.rangeClosed(1, WAYS).boxed().toList());
  }

  @ParameterizedTest
  @MethodSource("ways")
  void eachWayIsHeldByTestsThatAreThere(List<String> row) {
    assertThat(missing(row.get(3))).isEmpty();
    assertThat(TEST.matcher(row.get(3)).results()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("reports")
  void eachReportIsHeldByTestsThatAreThere(List<String> row) {
    assertThat(missing(row.get(3))).isEmpty();
    assertThat(TEST.matcher(row.get(3)).results()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("accidents")
  void eachAccidentInARepairIsHeldByTestsThatAreThere(List<String> row) {
    assertThat(missing(row.get(2))).isEmpty();
    assertThat(TEST.matcher(row.get(2)).results()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void eachScenarioHasATestThatIsThereOrAReasonWhyNot(List<String> row) {
    assertThat(missing(row.get(2))).isEmpty();
    assertThat(row.get(2))
        .matches(
            here -> here.startsWith(NOT_HERE) || TEST.matcher(here).find(), "a test or why not");
  }

  private static List<String> missing(String cell) {
    return TEST.matcher(cell)
        .results()
        .filter(
            test ->
                !TESTS.getOrDefault(test.group(1), "").contains("\n  void " + test.group(2) + "("))
        .map(MatchResult::group)
        .toList();
  }
}
