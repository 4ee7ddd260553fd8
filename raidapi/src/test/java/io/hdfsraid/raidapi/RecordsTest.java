// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.hdfsraid.raidapi.files.FileDetail;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.health.StripeReport;
import io.hdfsraid.raidapi.health.UnitReport;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.mode.FootprintReport;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidapi.mode.WithdrawRequest;
import io.hdfsraid.raidapi.placement.AuditProgress;
import io.hdfsraid.raidapi.placement.PlacementReport;
import io.hdfsraid.raidapi.placement.SkewReport;
import io.hdfsraid.raidapi.plan.RaidingPlan;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidapi.policies.PoliciesReport;
import io.hdfsraid.raidapi.policies.PoliciesValidation;
import io.hdfsraid.raidapi.quarantine.QuarantineRequest;
import io.hdfsraid.raidapi.quarantine.QuarantinedParity;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidapi.repairs.CancelRepairRequest;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidapi.savings.SavingsReport;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.status.AccessSource;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidapi.status.Space;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidapi.windows.WindowStatus;
import io.hdfsraid.raidapi.windows.WindowsReport;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordsTest {
  private static final ObjectMapper JSON = ApiJson.mapper();

  static Stream<Class<?>> answers() {
    return Stream.of(
        Status.class,
        FileSummary.class,
        FileDetail.class,
        PoliciesReport.class,
        PoliciesReport.PolicyView.class,
        FileExplanation.class,
        FileExplanation.Use.class,
        RaidingPlan.class,
        RaidingPlan.PolicyPlan.class,
        WindowStatus.class,
        WindowsReport.class,
        FileHistogram.class,
        PoliciesValidation.class,
        FsckReport.class,
        FileHealth.class,
        StripeReport.class,
        UnitReport.class,
        PlacementReport.class,
        AuditProgress.class,
        SkewReport.class,
        QueuedRepair.class,
        HistoryEntry.class,
        ChangePreview.class,
        ChangePreview.Item.class,
        QuarantinedParity.class,
        FootprintReport.class,
        SavingsReport.class,
        SavingsReport.Row.class,
        SavingsReport.Skipped.class,
        ApiError.class,
        AccessSource.class,
        DaemonReport.class,
        DaemonReport.Standby.class,
        DaemonReport.Index.class,
        Problem.class,
        Page.class);
  }

  @ParameterizedTest
  @MethodSource("answers")
  void whatAnOlderDaemonDoesNotSendIsEmptyAndNotNull(Class<?> type) throws Exception {
    Object record = JSON.readValue("{\"fromANewerOne\": {\"a\": 1}}", type);

    for (RecordComponent component : type.getRecordComponents()) {
      if (Stream.of(Optional.class, List.class, Map.class).anyMatch(component.getType()::equals)) {
        assertThat(component.getAccessor().invoke(record)).as(component.toString()).isNotNull();
      }
    }
  }

  @Test
  void instantsAreTextDurationsAreSecondsAndAbsentValuesAreNull() throws JsonProcessingException {
    var policy =
        new PoliciesReport.PolicyView(
            "p",
            List.of("/a"),
            List.of(),
            Duration.ofDays(90),
            Duration.ZERO,
            1,
            "rs-10-4",
            1,
            1,
            Optional.empty(),
            Optional.of(Instant.parse("2030-01-01T00:00:00Z")),
            "raid",
            List.of("owners: hive"),
            "always",
            Optional.empty());

    String written = JSON.writeValueAsString(policy);

    assertThat(written)
        .contains("\"coldAfterSeconds\":7776000")
        .contains("\"nextRun\":\"2030-01-01T00:00:00.000Z\"")
        .contains("\"schedule\":null");
    assertThat(JSON.readValue(written, PoliciesReport.PolicyView.class)).isEqualTo(policy);
  }

  @Test
  void aMapperMadeElsewhereIsMadeToFit() throws JsonProcessingException {
    ObjectMapper other = ApiJson.configure(new ObjectMapper());

    assertThat(other.writeValueAsString(Optional.of(Duration.ofHours(1)))).isEqualTo("3600");
  }

  @Test
  void theEffectiveReplicationIsSentButNotBelieved() throws JsonProcessingException {
    Space space = new Space(100, 140, 40, 160);

    String written = JSON.writeValueAsString(space);
    assertThat(written).contains("\"effectiveReplication\":1.4");
    assertThat(JSON.readValue(written.replace("1.4", "9.9"), Space.class)).isEqualTo(space);
    assertThat(new Space(0, 0, 0, 0).effectiveReplication()).isZero();
  }

  @Test
  void aWordFromANewerDaemonIsUnknown() throws JsonProcessingException {
    assertThat(JSON.readValue("\"FROZEN\"", FileState.class)).isEqualTo(FileState.UNKNOWN);
    assertThat(JSON.readValue("\"FROZEN\"", HealthState.class)).isEqualTo(HealthState.UNKNOWN);
    assertThat(JSON.readValue("\"FROZEN\"", ErrorCode.class)).isEqualTo(ErrorCode.UNKNOWN);
    assertThat(JSON.readValue("\"FROZEN\"", DaemonReport.Role.class))
        .isEqualTo(DaemonReport.Role.UNKNOWN);
    assertThat(JSON.readValue("\"FROZEN\"", ChangePreview.Outcome.class))
        .isEqualTo(ChangePreview.Outcome.UNKNOWN);
  }

  @Test
  void aRequestIsADryRunUnlessItSaysOtherwise() throws JsonProcessingException {
    assertThat(JSON.readValue("{\"path\": \"/a\"}", RaidRequest.class).dryRun()).isTrue();
    assertThat(JSON.readValue("{\"path\": \"/a\"}", UnraidRequest.class).dryRun()).isTrue();
    assertThat(JSON.readValue("{\"path\": \"/a\"}", RepairRequest.class).dryRun()).isTrue();
    assertThat(JSON.readValue("{\"path\": \"/a\"}", QuarantineRequest.class).dryRun()).isTrue();
    assertThat(JSON.readValue("{}", WithdrawRequest.class))
        .isEqualTo(new WithdrawRequest(false, false, true));
    assertThat(JSON.readValue("{}", PauseRequest.class)).isEqualTo(new PauseRequest(true, true));
    assertThat(JSON.readValue("{\"path\": \"/a\", \"dryRun\": null}", RaidRequest.class).dryRun())
        .isTrue();
    assertThat(JSON.readValue("{\"path\": \"/a\", \"dryRun\": false}", RaidRequest.class).dryRun())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(classes = {RaidRequest.class, UnraidRequest.class, QuarantineRequest.class})
  void aRequestWithoutAnAbsolutePathIsRefused(Class<?> request) {
    assertThatThrownBy(() -> JSON.readValue("{}", request))
        .isInstanceOf(ValueInstantiationException.class)
        .hasMessageContaining("must be an absolute path, but is null");
    assertThatThrownBy(() -> JSON.readValue("{\"path\": \"a\"}", request))
        .isInstanceOf(ValueInstantiationException.class)
        .hasMessageContaining("but is a");
  }

  @ParameterizedTest
  @ValueSource(classes = {RepairRequest.class, CancelRepairRequest.class})
  void whatARepairIsAboutIsSaidInOneWay(Class<?> request) throws JsonProcessingException {
    for (String wrong :
        List.of(
            "{}",
            "{\"path\": \"/a\", \"all\": true}",
            "{\"path\": \"/a\", \"stripes\": [\"5/0\"]}")) {
      assertThatThrownBy(() -> JSON.readValue(wrong, request))
          .as(wrong)
          .isInstanceOf(ValueInstantiationException.class)
          .hasMessageContaining("Exactly one of path, stripes and all");
    }
    assertThatThrownBy(() -> JSON.readValue("{\"path\": \"a\"}", request))
        .hasMessageContaining("must be an absolute path, but is a");
    List<StripeId> many =
        LongStream.rangeClosed(1, 1_001).mapToObj(i -> new StripeId(i, 0)).toList();
    assertThatThrownBy(() -> RepairRequest.of(many, true)).hasMessageContaining("1000 at once");
    assertThat(RepairRequest.of(Collections.nCopies(5_000, new StripeId(5, 0)), true).stripes())
        .containsExactly(new StripeId(5, 0));
    assertThatThrownBy(() -> JSON.readValue("{\"stripes\": [\"5\"]}", request))
        .hasMessageContaining("INODE/INDEX");
    assertThat(JSON.readValue("{\"stripes\": [\"5/0\", \"6/1\"]}", request).toString())
        .contains("[5/0, 6/1]");
  }

  @Test
  void noStripeIsLeftForEver() {
    assertThatThrownBy(() -> new CancelRepairRequest("", List.of(), true, Duration.ofDays(8), true))
        .hasMessageContaining("at most 7 days");
  }

  @Test
  void theSummaryOfAnFsckIsItsWorst() {
    assertThat(new FsckReport.Summary(1, 0, 0, 0, 0).worst()).isEqualTo(HealthState.HEALTHY);
    assertThat(new FsckReport.Summary(1, 1, 0, 0, 0).worst()).isEqualTo(HealthState.DEGRADED);
    assertThat(new FsckReport.Summary(1, 1, 0, 1, 0).worst()).isEqualTo(HealthState.UNKNOWN);
    assertThat(new FsckReport.Summary(1, 1, 1, 1, 0).worst()).isEqualTo(HealthState.UNRECOVERABLE);
  }

  @Test
  void removingTheRootIsPurgingToo() {
    assertThat(new WithdrawRequest(false, true, true).purge()).isTrue();
    assertThat(new WithdrawRequest(null, null, null).purge()).isFalse();
  }

  @Test
  void whatWasNotLookedAtIsNotSaidToBeSaved() {
    assertThat(new SavingsReport.Row("a", 2, 10, 30, 14, 4, 0, 0).actualSaving()).isZero();
    assertThat(new SavingsReport.Row("a", 2, 10, 30, 14, 4, 1, 14).actualSaving()).isEqualTo(16);
    assertThat(new SavingsReport.Row("a", 2, 10, 30, 14, 4, 1, 14).expectedSaving()).isEqualTo(16);
  }

  @Test
  void aLimitIsBounded() {
    assertThatThrownBy(() -> Paging.first(0)).hasMessage("limit must be 1 to 1000, but is 0");
    assertThatThrownBy(() -> Paging.first(1001)).hasMessage("limit must be 1 to 1000, but is 1001");
    assertThat(Paging.first(1000).after("c")).isEqualTo(new Paging(1000, Optional.of("c")));
  }
}
