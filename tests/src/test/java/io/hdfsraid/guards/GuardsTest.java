// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each line of {@code guards.md} fits the code; {@link GuardMutationsTest} relies on it. */
class GuardsTest {
  private static final Mutants MUTANTS = new Mutants(Mutants.compiledClasses());
  private static final Map<String, String> FULL_NAMES = MUTANTS.fullNames();
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

  @Test
  void namesAreUnique() {
    assertThat(guards()).extracting(Guard::name).doesNotHaveDuplicates();
    assertThat(guards()).hasSizeGreaterThan(100);
  }
}
