package io.hdfsraid.erasurecode;

import static io.hdfsraid.erasurecode.MatrixKind.BINARY;
import static io.hdfsraid.erasurecode.MatrixKind.GENERAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.KernelReport.Choice;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KernelSpeedsTest {
  @Test
  void theFastestIsChosenForEachKindOfMatrix() {
    KernelSpeeds speeds =
        new KernelSpeeds(
            Map.of(
                "portable", Map.of(GENERAL, 6.0, BINARY, 10.0),
                "native", Map.of(GENERAL, 15.0, BINARY, 3.0),
                "vector", Map.of(GENERAL, 12.0, BINARY, 18.04)));
    assertThat(speeds.choice(GENERAL, "portable"))
        .contains(new Choice("native", "2.5 times as fast as portable"));
    assertThat(speeds.choice(BINARY, "portable"))
        .contains(new Choice("vector", "1.8 times as fast as portable"));
  }

  @Test
  void thePreferredKernelStaysUnlessAnotherIsClearlyFaster() {
    assertThat(choice(6, 7.1))
        .isEqualTo(new Choice("portable", "the next, native, is 1.2 times as fast"));
    assertThat(choice(6, 7.3).kernel()).isEqualTo("native");
    assertThat(choice(6, 3))
        .isEqualTo(new Choice("portable", "the next, native, is 0.5 times as fast"));
  }

  private static Choice choice(double portable, double other) {
    return new KernelSpeeds(
            Map.of("portable", Map.of(GENERAL, portable), "native", Map.of(GENERAL, other)))
        .choice(GENERAL, "portable")
        .orElseThrow();
  }

  @Test
  void aKernelThatIsAloneIsChosen() {
    assertThat(
            new KernelSpeeds(Map.of("portable", Map.of(GENERAL, 6.0))).choice(GENERAL, "portable"))
        .contains(new Choice("portable", "no other can be used"));
    assertThat(new KernelSpeeds(Map.of("native", Map.of(GENERAL, 6.0))).choice(GENERAL, "portable"))
        .contains(new Choice("native", "portable cannot be used"));
    assertThat(new KernelSpeeds(Map.of()).choice(GENERAL, "portable")).isEmpty();
  }
}
