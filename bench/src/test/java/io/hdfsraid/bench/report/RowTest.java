// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.measure.TaskSpeed;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RowTest {
  private static final Row.Unit KILO = new Row.Unit("k/s", 1000);

  @Test
  void besideAPeerTheGoalIsARatio() {
    TaskSpeed outcome =
        new TaskSpeed(
            Samples.of(8000, 9000, 10000),
            Optional.of(new TaskSpeed.Peer("other", Samples.of(1000, 3000, 5000))));
    Row row = Row.measured("mine", outcome, KILO);
    assertThat(row.value()).isEqualTo(9);
    assertThat(row.peer()).isEqualTo("other");
    assertThat(row.peerValue()).isEqualTo(3);
    assertThat(row.ratio()).isEqualTo(3);
    assertThat(row.low()).isEqualTo(2.5);
    assertThat(row.high()).isEqualTo(5.5);
    assertThat(row.met()).as("no goal").isNull();
    assertThat(row.withGoal(3).met()).isTrue();
    assertThat(row.withGoal(3.1).met()).isFalse();
  }

  @Test
  void aloneTheGoalIsAValue() {
    Row row =
        Row.measured("mine", new TaskSpeed(Samples.of(1000, 2000, 4000), Optional.empty()), KILO);
    assertThat(row.value()).isEqualTo(2);
    assertThat(row.low()).isEqualTo(1.5);
    assertThat(row.high()).isEqualTo(3);
    assertThat(row.ratio()).isNull();
    assertThat(row.withGoal(2).met()).isTrue();
    assertThat(row.withGoal(2.1).isMissed()).isTrue();
  }

  @Test
  void whatIsAbsentHasAReasonAndNeitherMeetsNorMissesAGoal() {
    Row row = Row.absent("mine", KILO, "no such library").withGoal(8);
    assertThat(row.isAbsent()).isTrue();
    assertThat(row.value()).isNull();
    assertThat(row.note()).isEqualTo("absent: no such library");
    assertThat(row.met()).isNull();
    assertThat(row.isMissed()).isFalse();
  }
}
