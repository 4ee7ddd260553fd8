// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScheduleTest {
  private static final String EVERY_SECOND = "* * * * * ?";
  private static final String ONCE_A_YEAR = "0 0 0 1 1 ?";
  private static final ZoneId UTC = ZoneId.of("UTC");

  /** Every run that ended, as "job succeeded". */
  private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();

  private Schedule schedule;

  private Schedule start(Job... jobs) throws Exception {
    schedule =
        new Schedule(
            List.of(jobs),
            Clock.systemUTC(),
            (job, took, succeeded) -> ended.add(job + " " + succeeded));
    schedule.start();
    return schedule;
  }

  @AfterEach
  void stop() throws Exception {
    if (schedule != null) {
      schedule.stop();
    }
  }

  @Test
  void aJobRunsWhenItsTimeHasCome() throws Exception {
    CountDownLatch twice = new CountDownLatch(2);
    start(new Job("tick", EVERY_SECOND, UTC, twice::countDown));
    twice.await();
  }

  @Test
  void nothingRunsBeforeTheStart() {
    schedule =
        new Schedule(
            List.of(new Job("tick", EVERY_SECOND, UTC, () -> {})),
            Clock.systemUTC(),
            (job, took, succeeded) -> {});
    assertThat(schedule.find("tick").orElseThrow().lastStart()).isEmpty();
  }

  @Test
  void aJobCanBeRunNow() throws Exception {
    start(new Job("scan", ONCE_A_YEAR, UTC, () -> {}));
    assertThat(schedule.runNow("scan")).isTrue();
    assertThat(ended.take()).isEqualTo("scan true");
    JobReport report = schedule.find("scan").orElseThrow();
    assertThat(report.running()).isFalse();
    assertThat(report.lastError()).isEmpty();
    assertThat(report.lastSuccess()).isEqualTo(report.lastStart()).isPresent();
    assertThatThrownBy(() -> schedule.runNow("scam"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("There is no job 'scam'; the jobs are [scan]");
  }

  @Test
  void aFailureIsRememberedUntilTheJobSucceeds() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    start(
        new Job(
            "scan",
            ONCE_A_YEAR,
            UTC,
            () -> {
              if (runs.getAndIncrement() == 0) {
                throw new IOException("NameNode is in safe mode");
              }
            }));
    schedule.runNow("scan");
    assertThat(ended.take()).isEqualTo("scan false");
    JobReport failed = schedule.find("scan").orElseThrow();
    assertThat(failed.lastError()).contains("NameNode is in safe mode");
    assertThat(failed.lastSuccess()).isEmpty();
    schedule.runNow("scan");
    assertThat(ended.take()).isEqualTo("scan true");
    assertThat(schedule.find("scan").orElseThrow().lastError()).isEmpty();
  }

  @Test
  void aJobNeverRunsTwiceAtATimeWhileOthersDo() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CountDownLatch ticks = new CountDownLatch(3);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    start(
        new Job(
            "slow",
            EVERY_SECOND,
            UTC,
            () -> {
              most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
              begun.countDown();
              mayEnd.await();
              atOnce.decrementAndGet();
            }),
        new Job("tick", EVERY_SECOND, UTC, ticks::countDown));
    begun.await();
    ticks.await();
    assertThat(schedule.runNow("slow")).isFalse();
    assertThat(schedule.find("slow").orElseThrow().running()).isTrue();
    mayEnd.countDown();
    assertThat(most).hasValue(1);
  }

  @Test
  void stoppingInterruptsWhatRunsAndWaitsForIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    start(
        new Job(
            "endless",
            ONCE_A_YEAR,
            UTC,
            () -> {
              begun.countDown();
              TimeUnit.DAYS.sleep(1);
            }));
    schedule.runNow("endless");
    begun.await();
    schedule.stop();
    assertThat(ended).containsExactly("endless false");
    assertThat(schedule.find("endless").orElseThrow().lastError()).contains("stopped");
  }

  @Test
  void stoppingInterruptsWhatRunsThoughItsJobWasReplaced() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Job endless =
        new Job(
            "policy a",
            ONCE_A_YEAR,
            UTC,
            () -> {
              begun.countDown();
              TimeUnit.DAYS.sleep(1);
            });
    start(endless);
    schedule.runNow("policy a");
    begun.await();
    schedule.replace("policy ", List.of(new Job("policy a", ONCE_A_YEAR, UTC, () -> {})));

    schedule.stop();

    assertThat(ended).containsExactly("policy a false");
    assertThat(schedule.find("policy a").orElseThrow().lastStart()).isEmpty();
  }

  @Test
  void theNextRunIsTheOneInTheGivenTimeZone() {
    Clock clock = Clock.fixed(Instant.parse("2026-07-01T00:30:00Z"), ZoneOffset.UTC);
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    schedule =
        new Schedule(
            List.of(
                new Job("there", "0 0 3 * * ?", berlin, () -> {}),
                new Job("here", "0 0 3 * * ?", UTC, () -> {})),
            clock,
            (job, took, succeeded) -> {});
    assertThat(schedule.reports())
        .extracting(report -> report.nextRun().orElseThrow())
        .containsExactly(
            Instant.parse("2026-07-01T01:00:00Z"), Instant.parse("2026-07-01T03:00:00Z"));
  }

  @Test
  void twoJobsOfOneNameAreRefused() {
    Job job = new Job("scan", ONCE_A_YEAR, UTC, () -> {});
    assertThatThrownBy(
            () -> new Schedule(List.of(job, job), Clock.systemUTC(), (j, took, ok) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Two jobs have one name");
  }

  @Test
  void whatWasMissedWhileTheProcessWasDownIsMadeUpForOnceOrSkippedAsTheJobSays() throws Exception {
    Instant twoYearsAgo = Instant.now().minus(Duration.ofDays(731));
    AtomicInteger skipped = new AtomicInteger();
    Job job = new Job("made up", ONCE_A_YEAR, UTC, () -> {});
    CountDownLatch ticks = new CountDownLatch(3);

    start(
        new Job(
            "skipped",
            ONCE_A_YEAR,
            UTC,
            Job.Missed.SKIPPED,
            Optional.of(twoYearsAgo),
            false,
            false,
            skipped::incrementAndGet),
        job.makingUpForRunsMissedSince(twoYearsAgo),
        new Job("not missed", ONCE_A_YEAR, UTC, skipped::incrementAndGet)
            .makingUpForRunsMissedSince(Instant.now()),
        new Job("tick", EVERY_SECOND, UTC, ticks::countDown));

    ticks.await();
    assertThat(ended).contains("made up true");
    assertThat(ended.stream().filter("made up true"::equals)).hasSize(1);
    assertThat(skipped).hasValue(0);
  }

  @Test
  void aRunThatBeganWithItsSecondIsNotMissed() throws Exception {
    CountDownLatch ticks = new CountDownLatch(3);
    ZonedDateTime hourAgo = ZonedDateTime.now(UTC).minusHours(1).truncatedTo(ChronoUnit.SECONDS);
    String daily =
        "%d %d %d * * ?".formatted(hourAgo.getSecond(), hourAgo.getMinute(), hourAgo.getHour());

    start(
        new Job("daily", daily, UTC, () -> {})
            .makingUpForRunsMissedSince(hourAgo.plusNanos(12_000_000).toInstant()),
        new Job("tick", EVERY_SECOND, UTC, ticks::countDown));

    ticks.await();
    assertThat(ended).doesNotContain("daily true");
  }

  /** A clock that can be set, beside one that cannot. */
  private static final class Clocks extends Clock {
    private volatile Duration ahead;
    private volatile Duration passed = Duration.ZERO;

    Clocks(Duration ahead) {
      this.ahead = ahead;
    }

    long nanos() {
      return System.nanoTime() + passed.toNanos();
    }

    @Override
    public Instant instant() {
      return Instant.now().plus(ahead).plus(passed);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @Test
  void whenTheClockIsSetBackAllJobsGoOnAtOnce() throws Exception {
    Clocks clocks = new Clocks(Duration.ofHours(5));
    CountDownLatch noticed = new CountDownLatch(1);
    schedule =
        new Schedule(
            List.of(
                new Job("tick", EVERY_SECOND, UTC, () -> {}),
                new Job("due from the future", EVERY_SECOND, UTC, () -> {})
                    .makingUpForRunsMissedSince(Instant.now().plus(Duration.ofDays(365)))),
            clocks,
            clocks::nanos,
            (job, took, succeeded) -> ended.add(job + " " + succeeded),
            KnownTrouble.NONE);
    schedule.whenClockIsSetBack(noticed::countDown);
    schedule.start();
    assertThat(ended).as("to Quartz, the clock is five hours behind").isEmpty();

    clocks.ahead = Duration.ZERO;

    noticed.await();
    assertThat(List.of(ended.take(), ended.take()))
        .containsExactlyInAnyOrder("tick true", "due from the future true");
  }

  /** A trouble that a test turns on and off, and that explains no failure. */
  private static final class Switch implements KnownTrouble {
    private volatile boolean on;

    @Override
    public boolean explains(Throwable failure) {
      return false;
    }

    @Override
    public boolean isOn() {
      return on;
    }
  }

  private void start(Switch trouble, Job... jobs) throws Exception {
    schedule =
        new Schedule(
            List.of(jobs), Clock.systemUTC(), (job, took, succeeded) -> ended.add(job), trouble);
    schedule.start();
  }

  @Test
  void jobsWaitWhileATroubleGoesOnAndRunAsSoonAsItIsOver() throws Exception {
    Switch trouble = new Switch();
    trouble.on = true;
    CountDownLatch looks = new CountDownLatch(3);
    start(
        trouble,
        new Job("watch", EVERY_SECOND, UTC, looks::countDown).evenWhileTroubleIsOn(),
        new Job("seldom", ONCE_A_YEAR, UTC, () -> {}));
    assertThat(schedule.runNow("seldom")).isTrue();
    looks.await();
    assertThat(ended).doesNotContain("seldom");

    trouble.on = false;
    while (!ended.contains("seldom")) {
      schedule.runAgainAfterTrouble();
    }
  }

  @Test
  void aRunThatSawATroubleIsRepeatedAlthoughItCameToItsEnd() throws Exception {
    Switch trouble = new Switch();
    start(trouble, new Job("scan", ONCE_A_YEAR, UTC, () -> trouble.on = true));
    assertThat(schedule.runNow("scan")).isTrue();
    assertThat(ended.take()).isEqualTo("scan");

    trouble.on = false;
    schedule.runAgainAfterTrouble();
    assertThat(ended.take()).isEqualTo("scan");
  }

  @Test
  void aJobThatDoesNotEndForFarTooLongIsNamedUnlessItMay() throws Exception {
    CountDownLatch begun = new CountDownLatch(2);
    Clocks clocks = new Clocks(Duration.ZERO);
    Job.Task endless =
        () -> {
          begun.countDown();
          TimeUnit.DAYS.sleep(1);
        };
    schedule =
        new Schedule(
            List.of(
                new Job("stuck", EVERY_SECOND, UTC, endless),
                new Job("repair", EVERY_SECOND, UTC, endless).lastingAsLongAsThereIsWork()),
            clocks,
            clocks::nanos,
            (job, took, succeeded) -> {},
            KnownTrouble.NONE);
    schedule.start();
    begun.await();
    assertThat(schedule.reports()).allMatch(job -> job.stall().isEmpty());
    clocks.passed = Duration.ofMinutes(61);
    assertThat(schedule.reports())
        .flatExtracting(job -> job.stall().stream().toList())
        .containsExactly("Job stuck has not ended for 61 minutes; its schedule is '* * * * * ?'");
  }

  @Test
  void aJobThatDoesNotStartIsNamed() {
    Clocks clocks = new Clocks(Duration.ZERO);
    schedule =
        new Schedule(
            List.of(new Job("tick", EVERY_SECOND, UTC, () -> {})),
            clocks,
            clocks::nanos,
            (job, took, succeeded) -> {},
            KnownTrouble.NONE);
    clocks.passed = Duration.ofMinutes(9);
    assertThat(schedule.reports().get(0).stall()).isEmpty();
    clocks.passed = Duration.ofMinutes(12);
    assertThat(schedule.reports().get(0).stall())
        .hasValueSatisfying(
            stall -> assertThat(stall).matches("Job tick should have started 1[12] minutes ago"));
  }

  private Optional<String> failing() {
    return schedule.find("scan").orElseThrow().failing();
  }

  private void scan() throws InterruptedException {
    assertThat(schedule.runNow("scan")).isTrue();
    assertThat(ended.take()).isEqualTo("scan false");
  }

  /** Has a job that always fails, and whose interval is the given one. */
  private Clocks startFailing(String cron, KnownTrouble trouble) throws Exception {
    Clocks clocks = new Clocks(Duration.ZERO);
    schedule =
        new Schedule(
            List.of(
                new Job(
                    "scan",
                    cron,
                    UTC,
                    () -> {
                      throw new IOException("disk full\nand more");
                    })),
            clocks,
            clocks::nanos,
            (job, took, succeeded) -> ended.add(job + " " + succeeded),
            trouble);
    schedule.start();
    return clocks;
  }

  @Test
  void aJobThatFailsManyTimesForTwoIntervalsIsNamed() throws Exception {
    Clocks clocks = startFailing(ONCE_A_YEAR, KnownTrouble.NONE);
    scan();
    Instant since = schedule.find("scan").orElseThrow().lastEnd().orElseThrow();
    scan();
    clocks.passed = Duration.ofDays(800);
    assertThat(failing()).as("two runs").isEmpty();
    clocks.passed = Duration.ofDays(600);
    scan();
    assertThat(failing()).as("less than two intervals").isEmpty();
    clocks.passed = Duration.ofDays(800);
    assertThat(failing())
        .contains(
            "Job scan has failed 3 times in a row since %s: disk full"
                .formatted(since.truncatedTo(ChronoUnit.SECONDS)));
  }

  @Test
  void aJobWithAShortIntervalMayFailForTenMinutes() throws Exception {
    Clocks clocks = startFailing(EVERY_SECOND, KnownTrouble.NONE);
    for (int run = 0; run < 3; run++) {
      assertThat(ended.take()).isEqualTo("scan false");
    }
    clocks.passed = Duration.ofMinutes(9);
    assertThat(failing()).isEmpty();
    clocks.passed = Duration.ofMinutes(11);
    assertThat(failing()).isPresent();
  }

  @Test
  void failuresThatAKnownTroubleExplainsAreNotCounted() throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    Clocks clocks = startFailing(ONCE_A_YEAR, failure -> away.get());
    scan();
    scan();
    away.set(true);
    scan();
    away.set(false);
    scan();
    scan();
    clocks.passed = Duration.ofDays(800);
    assertThat(failing()).isEmpty();
    scan();
    assertThat(failing()).as("two years since the first of these three").isPresent();
  }

  /** HDFS says in many ways that a call was interrupted. */
  @Test
  void aNormalStopIsNoErrorOfTheLog() throws Exception {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(lines);
    CountDownLatch begun = new CountDownLatch(2);
    try {
      start(
          new Job(
              "repairs",
              ONCE_A_YEAR,
              UTC,
              () -> {
                begun.countDown();
                try {
                  TimeUnit.DAYS.sleep(1);
                } catch (InterruptedException e) {
                  throw new IOException("Call interrupted", e);
                }
              }),
          new Job(
              "raids",
              ONCE_A_YEAR,
              UTC,
              () -> {
                begun.countDown();
                TimeUnit.DAYS.sleep(1);
              }));
      schedule.runNow("repairs");
      schedule.runNow("raids");
      begun.await();
      schedule.stop();

      assertThat(schedule.find("repairs").orElseThrow().lastError()).contains("stopped");
      assertThat(lines.list)
          .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
          .isEmpty();
    } finally {
      root.detachAppender(lines);
    }
  }

  @Test
  void aFailureThatIsExplainedElsewhereIsNoLineOfTheLog() throws Exception {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger log = (Logger) LoggerFactory.getLogger(JobRuns.class);
    log.addAppender(lines);
    AtomicBoolean away = new AtomicBoolean(true);
    try {
      schedule =
          new Schedule(
              List.of(
                  new Job(
                      "asks",
                      ONCE_A_YEAR,
                      UTC,
                      () -> {
                        throw new IOException("Connection refused");
                      })),
              Clock.systemUTC(),
              (job, took, succeeded) -> ended.add(job + " " + succeeded),
              failure -> failure instanceof IOException && away.get());
      schedule.start();
      assertThat(schedule.runNow("asks")).isTrue();
      assertThat(ended.take()).isEqualTo("asks false");
      assertThat(lines.list).extracting(ILoggingEvent::getLevel).doesNotContain(Level.ERROR);
      assertThat(schedule.find("asks").orElseThrow().lastError()).contains("Connection refused");

      away.set(false);
      schedule.runAgainAfterTrouble();
      assertThat(ended.take()).as("it runs again").isEqualTo("asks false");
      assertThat(lines.list).extracting(ILoggingEvent::getLevel).contains(Level.ERROR);
      schedule.runAgainAfterTrouble();
      assertThat(ended).as("a failure of another kind waits for its time").isEmpty();
    } finally {
      log.detachAppender(lines);
    }
  }
}
