// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.SkipReason;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.recency.ListedNamespace;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.RecencyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scan takes hours where there are many files; raiding and operators go on meanwhile. */
class EvaluationJobTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final long FILE = 20_001;
  private static final long LENGTH = 1_000_000_000;
  private static final Duration RETRY_AFTER = Duration.ofHours(1);
  private static final FileFacts FACTS =
      FileFacts.of("/data/1", FILE, LENGTH, 4_000_000, 3, NOW.minus(Duration.ofDays(400)))
          .withAccess(NOW.minus(Duration.ofDays(200)));
  private static final Policy COLD =
      new Policy(
          "cold",
          List.of(PathGlob.of("/data")),
          List.of(),
          Duration.ofDays(90),
          Duration.ZERO,
          0,
          new Protection("rs-10-4", 1, 1),
          Optional.empty());

  @TempDir private Path folder;
  private final ListedNamespace namespace = new ListedNamespace();
  private Catalog catalog;
  private Runnable meanwhile = () -> {};
  private Runnable whileJudged = () -> {};

  /** Judging asks for the time, and lets something happen to the file it judges. */
  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
          Runnable once = meanwhile;
          meanwhile = () -> {};
          once.run();
          return NOW;
        }
      };

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private EvaluationJob.Scanned scan(Policy... policies) throws IOException {
    PoliciesInForce inForce =
        new PoliciesInForce(
            new Policies(List.of(policies), List.of(), 0),
            held -> new Judge(held, "/.raid", new CodecEstimate(), clock));
    namespace.whileListed(() -> meanwhile = whileJudged);
    return new EvaluationJob(
            new Recency(
                catalog.namespace(),
                catalog.notes(),
                reads -> {},
                namespace,
                RecencyOptions.listing("/.raid", Optional.of(NOW.minus(Duration.ofDays(999)))),
                clock),
            catalog,
            inForce,
            RETRY_AFTER,
            clock)
        .scan();
  }

  private void raid() {
    catalog
        .files()
        .change(
            FILE,
            known ->
                new FileRecord(
                    FACTS.withParity(1),
                    FileProgress.of(FileState.RAIDED, "cold", NOW),
                    Optional.of(new Parity("rs-10-4", 3, 1, 1, 1, 512)),
                    NOW));
  }

  private void refuse(Reason reason, Instant since) {
    catalog
        .files()
        .put(
            new FileRecord(
                FACTS, FileProgress.left(reason, "", "cold", since), Optional.empty(), since));
    catalog.namespace().skip(FILE, SkipReason.REFUSED.tag());
  }

  private Optional<SkipReason> skipReason() {
    return catalog
        .namespace()
        .file(FILE)
        .flatMap(file -> Stream.of(SkipReason.values()).filter(a -> a.holds(file)).findFirst());
  }

  private long counted(FileState status) {
    return catalog.totals().stream()
        .filter(total -> total.state() == status)
        .mapToLong(Total::files)
        .sum();
  }

  @Test
  void whatIsColdIsCountedAndNotKeptOneByOne() throws Exception {
    namespace.put(FACTS);
    namespace.put(FileFacts.of("/data/2", FILE + 1, LENGTH, 4_000_000, 3, NOW));
    namespace.put(FileFacts.of("/other/3", FILE + 2, LENGTH, 4_000_000, 3, NOW));

    assertThat(scan(COLD)).isEqualTo(new EvaluationJob.Scanned(3, 1, 0));

    assertThat(catalog.files().find(FILE)).isEmpty();
    assertThat(counted(FileState.CANDIDATE)).isEqualTo(1);
    assertThat(catalog.totals())
        .filteredOn(total -> total.state() == FileState.LEFT)
        .extracting(total -> total.reason().orElseThrow())
        .containsExactlyInAnyOrder(Reason.STILL_WARM, Reason.NO_POLICY);
  }

  @Test
  void aRaidedFileIsRenewedAndCountedOnce() throws Exception {
    namespace.put(FACTS);
    scan(COLD);
    raid();
    namespace.rename("/data/1", "/data/renamed");

    scan(COLD);

    assertThat(catalog.files().find(FILE).orElseThrow().facts().path()).isEqualTo("/data/renamed");
    assertThat(skipReason()).contains(SkipReason.RAIDED);
    assertThat(counted(FileState.RAIDED)).isEqualTo(1);
    assertThat(counted(FileState.CANDIDATE)).isZero();
  }

  @Test
  void aFileThatIsRaidedAfterTheCensusIsNotCountedAsACandidateAnyMore() throws Exception {
    namespace.put(FACTS);
    namespace.put(FileFacts.of("/data/2", FILE + 1, LENGTH, 4_000_000, 3, FACTS.modified()));
    scan(COLD);
    assertThat(counted(FileState.CANDIDATE)).isEqualTo(2);

    catalog.files().put(FileRecord.candidate(FACTS, "cold", NOW));
    assertThat(counted(FileState.CANDIDATE)).as("while it is raided").isEqualTo(2);
    raid();
    assertCounts(1, 1);
    catalog.close();
    catalog = Catalog.open(folder, Clock.fixed(NOW, ZoneOffset.UTC));
    assertCounts(1, 1);

    scan(COLD);
    assertCounts(1, 1);
  }

  private void assertCounts(long raided, long candidates) {
    assertThat(counted(FileState.RAIDED)).isEqualTo(raided);
    assertThat(counted(FileState.CANDIDATE)).isEqualTo(candidates);
  }

  @Test
  void aFileThatIsRaidedWhileACensusHasCountedItAlreadyIsNotCountedTwice() throws Exception {
    namespace.put(FACTS);
    namespace.put(FileFacts.of("/data/2", FILE + 1, LENGTH, 4_000_000, 3, FACTS.modified()));
    // The second file is judged by then.
    whileJudged =
        () ->
            meanwhile =
                () -> {
                  catalog.files().put(FileRecord.candidate(FACTS, "cold", NOW));
                  raid();
                };

    scan(COLD);

    assertCounts(1, 1);
  }

  @Test
  void whatHappensToAFileWhileItIsRenewedStands() throws Exception {
    namespace.put(FACTS);
    raid();
    namespace.rename("/data/1", "/data/renamed");
    namespace.put(FileFacts.of("/data/2", FILE + 1, LENGTH, 4_000_000, 3, NOW));
    whileJudged = () -> catalog.files().update(FILE, FileRecord::unraidedByOperator);

    scan(COLD);

    assertThat(
            catalog
                .files()
                .find(FILE)
                .orElseThrow()
                .facts()
                .is(FileFacts.Trait.UNRAIDED_BY_OPERATOR))
        .isTrue();
  }

  @Test
  void whatRaidingHasJustFoundOutIsNotAskedAgainForAWeek() throws Exception {
    namespace.put(FACTS);
    scan(COLD);
    refuse(Reason.MANIFEST_TOO_LARGE, NOW.minus(Duration.ofDays(6)));

    assertThat(scan(COLD).candidates()).isZero();
    assertThat(skipReason()).contains(SkipReason.REFUSED);

    refuse(Reason.MANIFEST_TOO_LARGE, NOW.minus(Duration.ofDays(8)));

    assertThat(scan(COLD).candidates()).isEqualTo(1);
    assertThat(skipReason()).isEmpty();
    assertThat(catalog.files().find(FILE)).isEmpty();
  }

  @Test
  void whatFailedBecauseOfADataNodeIsTriedAgainAfterTheTimeThatIsSet() throws Exception {
    namespace.put(FACTS);
    scan(COLD);
    refuse(Reason.REPLICA_UNPROVEN, NOW.minus(RETRY_AFTER.minusSeconds(1)));
    assertThat(scan(COLD).candidates()).isZero();

    refuse(Reason.REPLICA_UNPROVEN, NOW.minus(RETRY_AFTER.plusSeconds(1)));
    assertThat(scan(COLD).candidates()).isEqualTo(1);
    assertThat(skipReason()).isEmpty();
  }

  @Test
  void whatCouldNotBeRaidedForAPassingReasonIsACandidateAgain() throws Exception {
    namespace.put(FACTS);
    scan(COLD);
    refuse(Reason.TOO_FEW_NODES, NOW);

    assertThat(scan(COLD).candidates()).isEqualTo(1);
    assertThat(skipReason()).isEmpty();
  }

  @Test
  void whatAnOperatorUnraidedIsLeftAndKept() throws Exception {
    namespace.put(FACTS);
    scan(COLD);
    catalog
        .files()
        .put(
            FileRecord.candidate(
                FACTS.with(FileFacts.Trait.UNRAIDED_BY_OPERATOR), "operator", NOW));

    assertThat(scan(COLD).candidates()).isZero();
    assertThat(catalog.files().find(FILE).orElseThrow().progress().reason())
        .contains(Reason.UNRAIDED_BY_OPERATOR);
  }

  @Test
  void thatAFileWasReheatedIsForgottenWhenItIsGone() throws Exception {
    namespace.put(FACTS);
    catalog.reheats().put(FILE, NOW);
    catalog.reheats().put(FILE + 1, NOW);

    scan(COLD);

    assertThat(catalog.reheats().of(FILE)).contains(NOW);
    assertThat(catalog.reheats().of(FILE + 1)).isEmpty();
  }

  @Test
  void whatIsGoneIsForgottenUnlessItHasParity() throws Exception {
    namespace.put(FACTS);
    scan(COLD);
    raid();
    namespace.remove("/data/1");

    assertThat(scan(COLD)).isEqualTo(new EvaluationJob.Scanned(0, 0, 1));
    assertThat(catalog.files().find(FILE)).as("its parity is somebody's to judge").isPresent();

    refuse(Reason.TOO_FEW_NODES, NOW);
    scan(COLD);
    assertThat(catalog.files().find(FILE)).isEmpty();
  }
}
