// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.windows;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.policies.window.WeeklyWindow;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.history.HistoryQuery;
import io.hdfsraid.raidapi.windows.WindowStatus;
import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidapi.windows.WindowsRequest;
import io.hdfsraid.raidapi.windows.WindowsRequest.Mode;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.rest.history.HistoryService;
import io.hdfsraid.raidnode.select.CodecEstimate;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.recency.SettableClock;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowsServiceTest {
  private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");
  private static final Policy ANY =
      new Policy(
          "any",
          List.of(PathGlob.of("/")),
          List.of(),
          Duration.ZERO,
          Duration.ZERO,
          0,
          new Protection("rs-10-4", 1, 1),
          Optional.empty());

  /** By night, at half speed. */
  private static final Policies POLICIES =
      new Policies(
          List.of(ANY),
          List.of(),
          0,
          TimeWindows.of(
              List.of(
                  new WeeklyWindow(
                      EnumSet.allOf(DayOfWeek.class),
                      LocalTime.of(22, 0),
                      Optional.of(LocalTime.of(6, 0)),
                      50)),
              List.of(),
              ZoneOffset.UTC));

  private final SettableClock clock = new SettableClock(NOON);
  @TempDir private Path folder;
  private Catalog catalog;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, clock);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private WindowsService service() {
    return new WindowsService(
        new WorkingHours(catalog.notes(), clock),
        new PoliciesInForce(
            POLICIES, held -> new Judge(held, "/.raid", new CodecEstimate(), clock)),
        catalog.history(),
        clock);
  }

  private WindowsReport ask(Mode mode, Duration time) {
    return service().override(new WindowsRequest(mode, time, false), "alice");
  }

  private static WindowStatus window(WindowsReport view) {
    assertThat(view.policies()).hasSize(1);
    assertThat(view.policies().get(0).policy()).isEqualTo("any");
    return view.policies().get(0).window();
  }

  private List<String> history() {
    return new HistoryService(catalog)
        .list(HistoryQuery.below("/"), Paging.FIRST).items().stream()
            .map(entry -> "%s by %s: %s".formatted(entry.event(), entry.by(), entry.detail()))
            .toList();
  }

  @Test
  void windowsCountUntilAnOperatorWantsItOtherwiseAndAfterwards() {
    Instant evening = Instant.parse("2026-11-16T22:00:00Z");
    assertThat(service().windows().override()).isEmpty();
    assertThat(window(service().windows()).open()).isFalse();
    assertThat(window(service().windows()).until()).contains(evening);

    Instant four = NOON.plus(Duration.ofHours(4));
    WindowsReport opened = ask(Mode.OPEN, Duration.ofHours(4));
    assertThat(opened.changed()).isTrue();
    assertThat(opened.override()).contains(new WindowsReport.WindowOverride(Mode.OPEN, four));
    assertThat(window(opened).percent()).isEqualTo(100);
    assertThat(window(opened).until()).contains(four);
    clock.pass(Duration.ofHours(4));
    assertThat(service().windows().override()).isEmpty();
    assertThat(window(service().windows()).open()).isFalse();

    clock.pass(Duration.ofHours(7));
    assertThat(window(service().windows()).percent()).isEqualTo(50);
    assertThat(window(ask(Mode.CLOSED, Duration.ofHours(1))).open()).isFalse();
    assertThat(window(ask(Mode.FOLLOW, Duration.ZERO)).percent()).isEqualTo(50);
    assertThat(history())
        .containsExactlyInAnyOrder(
            "windows by alice: OPEN until 2026-11-16T16:00:00Z, whatever windows say",
            "windows by alice: CLOSED until 2026-11-17T00:00:00Z, whatever windows say",
            "windows by alice: As windows say");
  }

  @Test
  void whatIsWantedOutlivesARestart() {
    WindowsReport unused = ask(Mode.OPEN, Duration.ofHours(4));
    catalog.close();
    open();
    assertThat(window(service().windows()).open()).isTrue();
    assertThat(service().windows().override()).isPresent();
  }

  @Test
  void aDryRunOnlyShowsWhatWouldBe() {
    WindowsReport shown =
        service().override(new WindowsRequest(Mode.OPEN, Duration.ofHours(4), null), "alice");
    assertThat(shown.changed()).isFalse();
    assertThat(window(shown).open()).isTrue();
    assertThat(window(service().windows()).open()).isFalse();
    assertThat(history()).isEmpty();
  }
}
