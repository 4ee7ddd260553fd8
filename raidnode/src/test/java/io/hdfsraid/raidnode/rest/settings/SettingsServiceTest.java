// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.history.HistoryQuery;
import io.hdfsraid.raidapi.settings.SettingsReport;
import io.hdfsraid.raidapi.settings.SettingsReport.Change;
import io.hdfsraid.raidapi.settings.SettingsReport.Setting;
import io.hdfsraid.raidapi.settings.SettingsRequest;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.config.TunableSettings;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.history.HistoryService;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsServiceTest {
  private final RaidNodeConfiguration configured =
      new RaidNodeConfiguration(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null);
  private final List<Tuning> applied = new ArrayList<>();
  private @TempDir Path folder;
  private Catalog catalog;
  private SettingsService changes;

  @BeforeEach
  void start() {
    Clock clock = Clock.fixed(Instant.parse("2029-06-01T00:00:00Z"), ZoneOffset.UTC);
    catalog = Catalog.open(folder, clock);
    changes = new SettingsService(configured, catalog, applied::add, clock);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private SettingsReport change(boolean dryRun, Map<String, String> values) {
    return changes.change(new SettingsRequest(values, dryRun), "alice");
  }

  private Map<String, String> now() {
    return changes.settings().settings().stream()
        .collect(Collectors.toMap(Setting::key, Setting::value));
  }

  private List<String> history() {
    return new HistoryService(catalog)
        .list(HistoryQuery.below("/"), Paging.FIRST).items().stream()
            .map(entry -> "%s by %s: %s".formatted(entry.event(), entry.by(), entry.detail()))
            .toList();
  }

  @Test
  void aChangeIsAppliedShownAndWrittenDown() {
    SettingsReport view =
        change(false, Map.of("raiding.bytesPerSecond", "5MB", "hdfs.streamsPerDataNode", "7"));

    assertThat(view.changed()).isTrue();
    assertThat(view.changes())
        .containsExactly(
            new Change("raiding.bytesPerSecond", "200MB", "5MB"),
            new Change("hdfs.streamsPerDataNode", "4", "7"));
    assertThat(applied).hasSize(1);
    assertThat(applied.get(0).raiding().bytesPerSecond()).isEqualTo(5_000_000);
    assertThat(applied.get(0).streamsPerDataNode()).isEqualTo(7);
    assertThat(applied.get(0).repair()).isEqualTo(configured.tuning().repair());
    assertThat(now()).containsEntry("raiding.bytesPerSecond", "5MB");
    assertThat(view.settings())
        .filteredOn(setting -> setting.key().equals("raiding.bytesPerSecond"))
        .extracting(Setting::value, Setting::configured)
        .containsExactly(tuple("5MB", "200MB"));
    assertThat(history())
        .containsExactlyInAnyOrder(
            "setting by alice: raiding.bytesPerSecond: 200MB -> 5MB",
            "setting by alice: hdfs.streamsPerDataNode: 4 -> 7");
  }

  @Test
  void aLaterChangeKeepsTheEarlierOne() {
    change(false, Map.of("raiding.workers", "9"));
    change(false, Map.of("repair.workers", "8"));

    assertThat(now()).containsEntry("raiding.workers", "9").containsEntry("repair.workers", "8");
    assertThat(applied.get(1).raiding().workers()).isEqualTo(9);
  }

  @Test
  void aDryRunChangesNothing() {
    SettingsReport view = change(true, Map.of("placement.concurrentMoves", "3"));

    assertThat(view.changed()).isFalse();
    assertThat(view.changes()).containsExactly(new Change("placement.concurrentMoves", "8", "3"));
    assertThat(applied).isEmpty();
    assertThat(now()).containsEntry("placement.concurrentMoves", "8");
    assertThat(history()).isEmpty();
  }

  @Test
  void allThatIsWrongIsNamedAndNothingIsChanged() {
    Map<String, String> before = now();
    ApiFailure failure =
        catchThrowableOfType(
            ApiFailure.class,
            () ->
                change(
                    false,
                    Map.of(
                        "raiding.workers", "0",
                        "repair.workers", "many",
                        "raiding.bytesPerSecond", "2000TB",
                        "placement.bytesPerSecond", "-1",
                        "raiding.wrokers", "3",
                        "catalog.historyLines", "5000",
                        "workers", "3",
                        "repair.bytesPerSecond", "1GB")));

    assertThat(failure.error().code()).isEqualTo(ErrorCode.BAD_REQUEST);
    assertThat(failure.error().message())
        .contains(
            "raiding.workers: must be greater than or equal to 1",
            "repair.workers: 'many' is not a whole number",
            "raiding.bytesPerSecond: must be less than or equal to 1 TERABYTES",
            "placement.bytesPerSecond: '-1' is not a size",
            "raiding.wrokers: is not a key here; did you mean workers?",
            "catalog.historyLines: cannot be changed while the daemon runs",
            "workers: is not a key here; the keys are raiding.workers, ")
        .doesNotContain("repair.bytesPerSecond: ");
    assertThat(applied).isEmpty();
    assertThat(now()).isEqualTo(before);
    assertThat(history()).isEmpty();
  }

  /** So that what is shown can be written into the file, or be given back. */
  @Test
  void everyValueIsWrittenAsItIsRead() {
    assertThat(change(true, now()).changes()).isEmpty();
    for (String key : TunableSettings.keys()) {
      String unit = key.contains("bytes") ? "KB" : key.endsWith("After") ? "s" : "";
      assertThat(change(true, Map.of(key, "1" + unit)).changes()).as(key).hasSize(1);
    }
  }
}
