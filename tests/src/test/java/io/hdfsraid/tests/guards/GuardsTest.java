package io.hdfsraid.tests.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** That the list of guards is right, which {@link GuardFlips} relies on. */
class GuardsTest {

  static List<Guard> guards() {
    return Guard.all();
  }

  @ParameterizedTest
  @MethodSource("guards")
  void everyGuardStandsInItsClassOnceAndHasATest(Guard guard) throws IOException {
    assertThat(guard.occurrences())
        .as(
            "'%s' in %s: a guard that was rewritten is rewritten in Guards, too",
            guard.code(), guard.type())
        .isEqualTo(1);
    assertThat(guard.taken()).as("%s without it", guard.type()).isNotEqualTo(text(guard));
    assertThat(guard.sourceOfTest()).exists();
    assertThat(Files.readString(guard.sourceOfTest()))
        .as("%s", guard.sourceOfTest())
        .contains("\n  void " + guard.testMethod() + "(");
  }

  private static String text(Guard guard) throws IOException {
    return Files.readString(guard.source());
  }

  @Test
  void namesAreUnique() {
    assertThat(guards()).extracting(Guard::name).doesNotHaveDuplicates();
  }
}
