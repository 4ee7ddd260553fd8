// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.Condition.Accesses;
import io.hdfsraid.policies.Condition.Age;
import io.hdfsraid.policies.Condition.Bound;
import io.hdfsraid.policies.Condition.ColdFor;
import io.hdfsraid.policies.Condition.CooledDown;
import io.hdfsraid.policies.Condition.Encrypted;
import io.hdfsraid.policies.Condition.OfGroup;
import io.hdfsraid.policies.Condition.OwnedBy;
import io.hdfsraid.policies.Condition.PartitionAge;
import io.hdfsraid.policies.Condition.PathLike;
import io.hdfsraid.policies.Condition.Size;
import io.hdfsraid.policies.Condition.Snapshotted;
import io.hdfsraid.policies.Condition.StoredBy;
import io.hdfsraid.policies.ConditionResult.Answer;
import io.hdfsraid.policies.FileFacts.Trait;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each condition: of a file that meets it, of one that does not, of one of which nobody knows. */
class ConditionTest {
  private static final Instant NOW = Instant.parse("2030-06-01T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final FileFacts FILE = FileFacts.of("/a/f", 17, 100, 10, 3, daysAgo(400));

  private static final EvaluationTime SURE =
      new EvaluationTime(NOW, AccessTracking.since(daysAgo(1000)).counting(daysAgo(1000)));

  private static Instant daysAgo(int days) {
    return NOW.minus(DAY.multipliedBy(days));
  }

  private static FileFacts at(String path) {
    return FileFacts.of(path, 17, 100, 10, 3, daysAgo(400));
  }

  private static FileFacts opened(double count) {
    return FILE.withAccessRate(new AccessRate(count, NOW, DAY.multipliedBy(30)));
  }

  /** A condition with files of which it is true, not true and not known; no file: cannot be. */
  private record Case(
      Condition condition, FileFacts yes, FileFacts no, Optional<FileFacts> unknown) {
    @Override
    public String toString() {
      return condition.key() + ": " + condition.wanted();
    }
  }

  private static Case known(Condition condition, FileFacts yes, FileFacts no) {
    return new Case(condition, yes, no, Optional.empty());
  }

  private static Case perhaps(Condition condition, FileFacts yes, FileFacts no) {
    return new Case(condition, yes, no, Optional.of(FILE));
  }

  static Stream<Case> cases() {
    PartitionKey dt = PartitionKey.of("dt");
    return Stream.of(
        known(new PathLike(PathRegex.of("/a/\\d+")), at("/a/12"), at("/a/12/x")),
        perhaps(
            new OwnedBy(Set.of("alice", "bob")),
            FILE.withOwner("bob", "g"),
            FILE.withOwner("carol", "bob")),
        perhaps(
            new OfGroup(Set.of("staff")),
            FILE.withOwner("u", "staff"),
            FILE.withOwner("staff", "u")),
        known(new Size(Bound.AT_LEAST, 100), FILE, FileFacts.of("/a", 1, 99, 10, 3, NOW)),
        known(new Size(Bound.AT_MOST, 100), FILE, FileFacts.of("/a", 1, 101, 10, 3, NOW)),
        perhaps(
            new StoredBy(Set.of(HdfsStoragePolicy.HOT, HdfsStoragePolicy.WARM)),
            FILE.withStoragePolicy(HdfsStoragePolicy.WARM),
            FILE.withStoragePolicy(HdfsStoragePolicy.ALL_SSD)),
        known(new Encrypted(true), FILE.with(Trait.ENCRYPTED), FILE),
        known(new Encrypted(false), FILE, FILE.with(Trait.ENCRYPTED)),
        perhaps(new Snapshotted(true), FILE.belowSnapshots(), FILE.outsideSnapshots()),
        perhaps(new Snapshotted(false), FILE.outsideSnapshots(), FILE.inSnapshot(1)),
        known(
            new PartitionAge(dt, Bound.AT_LEAST, DAY.multipliedBy(30), ZoneOffset.UTC),
            at("/t/dt=2030-05-01/f"),
            at("/t/dt=2030-05-02/f")),
        known(
            new PartitionAge(dt, Bound.AT_MOST, DAY.multipliedBy(30), ZoneOffset.UTC),
            at("/t/dt=2030-05-02/f"),
            at("/t/dt=2030-05-01/f")),
        known(new Age(Bound.AT_LEAST, DAY.multipliedBy(400)), FILE, changed(399)),
        known(new Age(Bound.AT_MOST, DAY.multipliedBy(400)), changed(399), FILE),
        known(
            new ColdFor(DAY.multipliedBy(90)),
            FILE.withAccess(daysAgo(90)),
            FILE.withAccess(daysAgo(89))),
        known(new Accesses(Bound.AT_MOST, 3, DAY.multipliedBy(30)), opened(5), opened(5.1)),
        known(new Accesses(Bound.AT_LEAST, 3, DAY.multipliedBy(30)), opened(3.7), opened(3.6)),
        known(
            new CooledDown(DAY.multipliedBy(30)),
            FILE.withReheat(daysAgo(30)),
            FILE.withReheat(daysAgo(29))));
  }

  private static FileFacts changed(int days) {
    return FileFacts.of("/a/f", 17, 100, 10, 3, daysAgo(days));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void itHoldsDoesNotHoldOrIsNotKnown(Case example) {
    assertThat(example.condition.ask(example.yes, SURE).answer()).isEqualTo(Answer.YES);
    assertThat(example.condition.ask(example.no, SURE).answer()).isEqualTo(Answer.NO);
    example.unknown.ifPresent(
        file -> assertThat(example.condition.ask(file, SURE).answer()).isEqualTo(Answer.UNKNOWN));
    for (FileFacts file : List.of(example.yes, example.no, FILE)) {
      assertThat(example.condition.ask(file, SURE).detail().toString())
          .as("a sentence about the facts")
          .matches("[A-Z'c].*\\.")
          .doesNotContain("PT", "%");
    }
  }

  /** What an answer says of its end is so: a millisecond before nothing changes, then it does. */
  @ParameterizedTest
  @MethodSource("cases")
  void anAnswerChangesExactlyWhenItSays(Case example) {
    for (FileFacts file : List.of(example.yes, example.no)) {
      ConditionResult now = example.condition.ask(file, SURE);
      now.changesAt()
          .ifPresent(
              change -> {
                assertThat(change).isAfter(NOW);
                assertThat(askedAt(example.condition, file, change.minusMillis(2)))
                    .as("%s shortly before %s", now.detail(), change)
                    .isEqualTo(now.answer());
                assertThat(askedAt(example.condition, file, change))
                    .as("%s at %s", now.detail(), change)
                    .isNotEqualTo(now.answer());
              });
    }
  }

  private static Answer askedAt(Condition condition, FileFacts file, Instant time) {
    return condition.ask(file, new EvaluationTime(time, SURE.tracking())).answer();
  }

  @Test
  void everyConditionIsAmongTheCases() {
    assertThat(cases().map(each -> each.condition.getClass().getName()).distinct())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Condition.class.getPermittedSubclasses()).map(Class::getName).toList());
  }

  @Test
  void withoutARecordOfAccessesNobodyKnowsWhatIsCold() {
    ColdFor cold = new ColdFor(DAY.multipliedBy(90));
    AccessTracking young = AccessTracking.since(daysAgo(89));

    ConditionResult finding = cold.ask(FILE, new EvaluationTime(NOW, young));
    assertThat(finding.answer()).isEqualTo(Answer.UNKNOWN);
    assertThat(finding.changesAt()).contains(NOW.plus(DAY));
    assertThat(cold.ask(FILE, new EvaluationTime(NOW, AccessTracking.NONE)).detail())
        .hasToString("Nothing records accesses, coldAfter is 90d.");
    assertThat(
            new ColdFor(Duration.ZERO)
                .ask(FILE, new EvaluationTime(NOW, AccessTracking.NONE))
                .answer())
        .isEqualTo(Answer.YES);
  }

  @Test
  void whatAccessTimesDoNotTellMayHaveHappenedUntilTheyTellAgain() {
    ColdFor cold = new ColdFor(DAY.multipliedBy(7));
    AccessTracking weekly = AccessTracking.since(daysAgo(1000)).grained(DAY.multipliedBy(7));
    FileFacts read = FILE.withAccess(daysAgo(13));

    ConditionResult finding = cold.ask(read, new EvaluationTime(NOW, weekly));
    assertThat(finding.answer()).isEqualTo(Answer.NO);
    assertThat(finding.changesAt()).contains(NOW.plus(DAY));
    assertThat(finding.detail())
        .hasToString(
            "It was last used at %s or up to 7d later, which no access time tells; coldAfter is 7d."
                .formatted(daysAgo(13)));
    assertThat(cold.ask(FILE.withAccess(daysAgo(14)), new EvaluationTime(NOW, weekly)).answer())
        .isEqualTo(Answer.YES);
    assertThat(cold.ask(read, new EvaluationTime(NOW, weekly.counting(daysAgo(7)))).answer())
        .as("an audit log tells of each")
        .isEqualTo(Answer.YES);
    assertThat(cold.ask(read, new EvaluationTime(NOW, weekly.counting(daysAgo(6)))).answer())
        .as("but for the first day of the window")
        .isEqualTo(Answer.NO);
  }

  @Test
  void aSourceInDoubtMakesNothingCold() {
    AccessTracking doubtful =
        SURE.tracking()
            .inDoubt("inotify stopped 3 h ago at transaction 123")
            .inDoubt("the clock jumped by 2 d");
    ColdFor cold = new ColdFor(DAY.multipliedBy(90));

    ConditionResult finding = cold.ask(FILE, new EvaluationTime(NOW, doubtful));
    assertThat(finding.answer()).isEqualTo(Answer.UNKNOWN);
    assertThat(finding.detail())
        .hasToString(
            "The record of accesses is in doubt (inotify stopped 3 h ago at transaction 123; the"
                + " clock jumped by 2 d). Accesses are recorded since %s, coldAfter is 90d."
                    .formatted(daysAgo(1000)));
    assertThat(finding.changesAt()).as("time alone mends nothing").isEmpty();
    assertThat(cold.ask(FILE.withAccess(NOW), new EvaluationTime(NOW, doubtful)).answer())
        .as("a known access is one, whatever is in doubt")
        .isEqualTo(Answer.NO);
    assertThat(
            new Accesses(Bound.AT_MOST, 3, DAY)
                .ask(FILE, new EvaluationTime(NOW, doubtful))
                .answer())
        .isEqualTo(Answer.UNKNOWN);
  }

  @Test
  void withoutACountOfAccessesNobodyKnowsHowOftenAFileIsOpened() {
    Accesses few = new Accesses(Bound.AT_MOST, 3, DAY.multipliedBy(30));
    EvaluationTime uncounted = new EvaluationTime(NOW, AccessTracking.since(daysAgo(1000)));
    EvaluationTime lately =
        new EvaluationTime(NOW, AccessTracking.since(daysAgo(1000)).counting(daysAgo(29)));

    assertThat(few.ask(FILE, uncounted).answer()).isEqualTo(Answer.UNKNOWN);
    assertThat(few.ask(FILE, uncounted).detail())
        .hasToString("Nothing counts accesses, accesses.atMost looks back 30d.");
    assertThat(few.ask(opened(1), lately).answer()).isEqualTo(Answer.UNKNOWN);
    assertThat(few.ask(opened(1), lately).changesAt()).contains(NOW.plus(DAY));
    assertThat(few.ask(opened(9), lately).answer())
        .as("what was counted was counted")
        .isEqualTo(Answer.NO);
    assertThat(few.ask(FILE, SURE).answer()).as("never opened").isEqualTo(Answer.YES);
    assertThat(new Accesses(Bound.AT_LEAST, 3, DAY).ask(FILE, SURE).answer()).isEqualTo(Answer.NO);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "dt /t/dt=2026-11-21/f 2026-11-22T00:00",
        "dt /t/dt=20261121/f 2026-11-22T00:00",
        "dt /t/dt=2026-11/f 2026-12-01T00:00",
        "dt /t/dt=202612/f 2027-01-01T00:00",
        "dt /t/dt=2026/f 2027-01-01T00:00",
        "dt /t/dt=2026-11-21-07/f 2026-11-21T08:00",
        "dt /t/dt=2026112123/f 2026-11-22T00:00",
        "dt /t/dt=2026-11-21%2007%3A00%3A00/f 2026-11-21T08:00",
        "dt /t/xdt=2020-01-01/dt=2026-11-21/hour=3/f 2026-11-22T00:00",
        "dt/hour /t/dt=2026-11-21/hour=3/f 2026-11-21T04:00",
        "year/month/day /t/year=2026/month=11/day=21/f 2026-11-22T00:00",
        "year/month/day /t/year=2026/month=2/day=3/f 2026-02-04T00:00",
        "year/month /t/year=2026/month=02/f 2026-03-01T00:00",
        "y/m/d/h /t/y=2026/m=11/d=21/h=07/f 2026-11-21T08:00"
      })
  void partitionsEndWhenTheirCalendarSays(String key, String path, String end) {
    ZoneId zone = ZoneId.of("America/New_York");
    assertThat(PartitionKey.of(key).of(path, zone).end())
        .contains(LocalDateTime.parse(end).atZone(zone).toInstant());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "dt; /t/f; Its path has no directory dt=….",
        "dt; /t/dt=2026-11-21; Its path has no directory dt=….",
        "dt; /t/xdt=2026-11-21/f; Its path has no directory dt=….",
        "dt; /t/dt=__HIVE_DEFAULT_PARTITION__/f; 'dt=__HIVE_DEFAULT_PARTITION__' of its path is no"
            + " date.",
        "dt; /t/dt=2026-02-31/f; 'dt=2026-02-31' of its path is no date.",
        "dt; /t/dt=2026-1-2/f; 'dt=2026-1-2' of its path is no date.",
        "dt; /t/dt=/f; 'dt=' of its path is no date.",
        "dt; /t/dt=2026-11-21-24/f; 'dt=2026-11-21-24' of its path is no date.",
        "dt/hour; /t/dt=2026-11-21-07/hour=7/f; 'dt=2026-11-21-07/hour=7' of its path is no date.",
        "year/month; /t/year=2026/f; Its path has no directory month=….",
        "year/month; /t/year=26/month=1/f; 'year=26/month=1' of its path is no date."
      })
  void aPathWithoutADateSaysSo(String key, String path, String problem) {
    ConditionResult finding =
        new PartitionAge(PartitionKey.of(key), Bound.AT_LEAST, DAY, ZoneOffset.UTC)
            .ask(at(path), SURE);

    assertThat(finding.answer()).isEqualTo(Answer.NO);
    assertThat(finding.detail()).hasToString(problem);
    assertThat(finding.changesAt()).isEmpty();
  }

  /** 25 October 2026 has 25 hours in Berlin, 29 March 23. */
  @Test
  void aPartitionOfADayEndsAtMidnightAlsoWhereClocksChange() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    PartitionKey dt = PartitionKey.of("dt");

    assertThat(dt.of("/dt=2026-10-25/f", berlin).end())
        .contains(Instant.parse("2026-10-25T23:00:00Z"));
    assertThat(dt.of("/dt=2026-03-29/f", berlin).end())
        .contains(Instant.parse("2026-03-29T22:00:00Z"));
    assertThat(dt.of("/dt=2026-03-29-01/f", berlin).end())
        .contains(Instant.parse("2026-03-29T01:00:00Z"));
  }

  @Test
  void aKeyThatCannotNameDirectoriesIsRefused() {
    for (String wrong : List.of("", "dt=", "a//b", "a/b/c/d/e", "/dt", "*")) {
      assertThatThrownBy(() -> PartitionKey.of(wrong))
          .as(wrong)
          .hasMessageContaining("'" + wrong + "'");
    }
    assertThatThrownBy(() -> new Accesses(Bound.AT_LEAST, 0, DAY)).hasMessageContaining("0 within");
  }

  @Test
  void storagePoliciesHaveTheNumbersOfHdfs() {
    assertThat(Stream.of(7, 5, 2, 10, 12, 15, 1).map(HdfsStoragePolicy::ofNumber))
        .containsExactly(
            Optional.of(HdfsStoragePolicy.HOT),
            Optional.of(HdfsStoragePolicy.WARM),
            Optional.of(HdfsStoragePolicy.COLD),
            Optional.of(HdfsStoragePolicy.ONE_SSD),
            Optional.of(HdfsStoragePolicy.ALL_SSD),
            Optional.of(HdfsStoragePolicy.LAZY_PERSIST),
            Optional.of(HdfsStoragePolicy.PROVIDED));
    assertThat(HdfsStoragePolicy.ofNumber(0)).isEmpty();
  }
}
