// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.config.YarnSettings;
import io.hdfsraid.yarn.job.ContainerSettings;
import io.hdfsraid.yarn.job.YarnFacts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class YarnCheckTest {
  private static final ContainerSettings USUAL = YarnSettings.defaults().container(Path.of(""));

  @Test
  void aYarnThatTakesJobsIsFine() {
    assertThat(YarnCheck.judge(facts(12, 8192, Optional.of("RUNNING"), true), USUAL))
        .allSatisfy(result -> assertThat(result.grade()).isEqualTo(Grade.OK))
        .extracting(CheckResult::seen)
        .containsExactly(
            "active NodeManagers: 12; jobs run as raid",
            "cold is RUNNING",
            "asks for 2048 MiB and cores: 1; the largest has 8192 MiB and cores: 4");
  }

  @Test
  void whateverKeepsJobsFromRunningIsAWarning() {
    assertWarned(facts(0, 8192, Optional.of("RUNNING"), true), "active NodeManagers: 0");
    assertWarned(facts(12, 8192, Optional.empty(), true), "There is no queue cold");
    assertWarned(facts(12, 8192, Optional.of("STOPPED"), true), "cold is STOPPED");
    assertWarned(facts(12, 8192, Optional.of("RUNNING"), false), "raid may not submit jobs");
    assertWarned(facts(12, 1024, Optional.of("RUNNING"), true), "the largest has 1024 MiB");
  }

  @Test
  void anAddressThatMakesNoSenseIsAWarning() {
    Configuration wrong = new Configuration(false);
    wrong.set("yarn.resourcemanager.address", "nowhere:much:1");

    assertThat(YarnCheck.of(wrong, USUAL, Duration.ofSeconds(1)))
        .singleElement()
        .satisfies(
            result -> {
              assertThat(result.grade()).isEqualTo(Grade.WARN);
              assertThat(result.seen()).contains("nowhere:much:1");
            });
  }

  @Test
  void withoutASettingTheClusterChoosesTheQueue() {
    YarnFacts facts = new YarnFacts("raid", 12, 8192, 4, Optional.empty());

    assertThat(YarnCheck.judge(facts, USUAL))
        .allSatisfy(result -> assertThat(result.grade()).isEqualTo(Grade.OK))
        .extracting(CheckResult::seen)
        .contains("yarn.queue names none, so the cluster chooses one");
  }

  @Test
  void aYarnThatDoesNotAnswerIsAWarning() {
    Configuration nowhere = new Configuration(false);
    nowhere.set("yarn.resourcemanager.address", "127.0.0.1:1");
    nowhere.setInt("ipc.client.connect.max.retries", 0);

    assertThat(YarnCheck.of(nowhere, USUAL, Duration.ofSeconds(1)))
        .singleElement()
        .satisfies(
            result -> {
              assertThat(result.grade()).isEqualTo(Grade.WARN);
              assertThat(result.seen())
                  .startsWith("It could not be asked: ")
                  .contains("localhost:1 failed");
              assertThat(result.advice()).contains("yarn-site.xml");
            });
  }

  private static void assertWarned(YarnFacts facts, String seen) {
    List<CheckResult> warned =
        YarnCheck.judge(facts, USUAL).stream()
            .filter(result -> result.grade() != Grade.OK)
            .toList();
    assertThat(warned)
        .singleElement()
        .satisfies(
            result -> {
              assertThat(result.grade()).isEqualTo(Grade.WARN);
              assertThat(result.seen()).contains(seen);
              assertThat(result.advice()).isNotEmpty();
            });
  }

  private static YarnFacts facts(
      int nodeManagers, long megabytes, Optional<String> queueState, boolean maySubmit) {
    return new YarnFacts(
        "raid",
        nodeManagers,
        megabytes,
        4,
        Optional.of(new YarnFacts.Queue("cold", queueState, maySubmit)));
  }
}
