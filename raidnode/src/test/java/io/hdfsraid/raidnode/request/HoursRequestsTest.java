package io.hdfsraid.raidnode.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.policies.window.WeeklyWindow;
import io.hdfsraid.raidapi.HoursRequest;
import io.hdfsraid.raidapi.HoursRequest.Wish;
import io.hdfsraid.raidapi.HoursView;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.RaidingOutlook.Hours;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.raid.CodecEstimate;
import io.hdfsraid.raidnode.recency.SettableClock;
import io.hdfsraid.raidnode.rounds.PoliciesInForce;
import io.hdfsraid.raidnode.rounds.WorkingHours;
import io.hdfsraid.raidnode.view.CatalogHistory;
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

class HoursRequestsTest {
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

  private HoursRequests requests() {
    return new HoursRequests(
        new WorkingHours(catalog.notes(), clock),
        new PoliciesInForce(
            POLICIES, held -> new Judge(held, "/.raid", new CodecEstimate(), clock)),
        catalog.history(),
        clock);
  }

  private HoursView ask(Wish wish, Duration time) {
    return requests().override(new HoursRequest(wish, time, false));
  }

  private static Hours hours(HoursView view) {
    assertThat(view.policies()).hasSize(1);
    assertThat(view.policies().get(0).policy()).isEqualTo("any");
    return view.policies().get(0).hours();
  }

  private List<String> history() {
    return new CatalogHistory(catalog)
        .list("/", Paging.FIRST).items().stream()
            .map(entry -> "%s by %s: %s".formatted(entry.event(), entry.by(), entry.detail()))
            .toList();
  }

  @Test
  void windowsCountUntilAnOperatorWantsItOtherwiseAndAfterwards() {
    Instant evening = Instant.parse("2026-11-16T22:00:00Z");
    assertThat(requests().hours().wanted()).isEmpty();
    assertThat(hours(requests().hours()).open()).isFalse();
    assertThat(hours(requests().hours()).until()).contains(evening);

    Instant four = NOON.plus(Duration.ofHours(4));
    HoursView opened = ask(Wish.OPEN, Duration.ofHours(4));
    assertThat(opened.changed()).isTrue();
    assertThat(opened.wanted()).contains(new HoursView.Wanted(Wish.OPEN, four));
    assertThat(hours(opened).percent()).isEqualTo(100);
    assertThat(hours(opened).until()).contains(four);
    clock.pass(Duration.ofHours(4));
    assertThat(requests().hours().wanted()).isEmpty();
    assertThat(hours(requests().hours()).open()).isFalse();

    clock.pass(Duration.ofHours(7));
    assertThat(hours(requests().hours()).percent()).isEqualTo(50);
    assertThat(hours(ask(Wish.CLOSED, Duration.ofHours(1))).open()).isFalse();
    assertThat(hours(ask(Wish.FOLLOW, Duration.ZERO)).percent()).isEqualTo(50);
    assertThat(history())
        .containsExactlyInAnyOrder(
            "hours by operator: OPEN until 2026-11-16T16:00:00Z, whatever windows say",
            "hours by operator: CLOSED until 2026-11-17T00:00:00Z, whatever windows say",
            "hours by operator: As windows say");
  }

  @Test
  void whatIsWantedOutlivesARestart() {
    HoursView unused = ask(Wish.OPEN, Duration.ofHours(4));
    catalog.close();
    open();
    assertThat(hours(requests().hours()).open()).isTrue();
    assertThat(requests().hours().wanted()).isPresent();
  }

  @Test
  void aDryRunOnlyShowsWhatWouldBe() {
    HoursView shown = requests().override(new HoursRequest(Wish.OPEN, Duration.ofHours(4), null));
    assertThat(shown.changed()).isFalse();
    assertThat(hours(shown).open()).isTrue();
    assertThat(hours(requests().hours()).open()).isFalse();
    assertThat(history()).isEmpty();
  }
}
