// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each line of {@code guards.md} fits the code; {@link GuardMutationsTest} relies on it. */
class GuardsTest {
  private static final Mutants MUTANTS = new Mutants(Mutants.compiledClasses());
  private static final Map<String, String> FULL_NAMES = MUTANTS.fullNames();
  private static final Map<String, String> TESTS = tests();
  private static final Map<String, List<Mutants.Mutant>> OF_CLASSES = new HashMap<>();

  static List<Guard> guards() {
    return Guard.all();
  }

  @ParameterizedTest
  @MethodSource("guards")
  void everyGuardStandsInItsMethod(Guard guard) {
    assertThat(FULL_NAMES.get(guard.type())).as("the class %s", guard.type()).isNotNull();
    List<String> parts =
        OF_CLASSES.computeIfAbsent(guard.type(), type -> MUTANTS.of(FULL_NAMES.get(type))).stream()
            .filter(guard::isIn)
            .flatMap(mutant -> mutant.names().stream())
            .distinct()
            .sorted()
            .toList();

    assertThat(parts).as("parts of %s#%s", guard.type(), guard.method()).containsAll(guard.parts());
  }

  @ParameterizedTest
  @MethodSource("guards")
  void theTestsOfEveryGuardExist(Guard guard) {
    for (String test : guard.tests()) {
      String[] parts = test.split("#", 2);
      assertThat(TESTS).as("test classes").containsKey(parts[0]);
      assertThat(TESTS.get(parts[0])).as("tests of %s", parts[0]).contains(" " + parts[1] + "(");
    }
  }

  /** The sources of test classes by their simple names. */
  private static Map<String, String> tests() {
    try (Stream<Path> files = Files.walk(Path.of("..").toAbsolutePath().normalize())) {
      Map<String, String> sources = new HashMap<>();
      for (Path file : files.filter(GuardsTest::isTest).toList()) {
        sources.put(
            file.getFileName().toString().replaceFirst("\\.java$", ""), Files.readString(file));
      }
      return sources;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isTest(Path file) {
    return file.toString().contains("/src/test/java/") && file.toString().endsWith("Test.java");
  }

  @Test
  void namesAreUnique() {
    assertThat(guards()).extracting(Guard::name).doesNotHaveDuplicates();
    assertThat(guards()).hasSizeGreaterThan(100);
  }
}
