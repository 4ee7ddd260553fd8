package io.hdfsraid.raidnode.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.Standing;
import io.hdfsraid.raidnode.raid.CodecEstimate;
import io.hdfsraid.raidnode.raid.Listing;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scan takes hours where there are many files; raiding and operators go on meanwhile. */
class ScanRoundTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final long FILE = 1;
  private static final FileFacts FACTS =
      FileFacts.of("/data/1", FILE, 10_000_000, 4_000_000, 3, NOW);

  @TempDir private Path folder;
  private Catalog catalog;
  private Runnable meanwhile = () -> {};

  /** Judging asks for the time of a record that it has read, and lets something happen to it. */
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
  void aCandidateOfAPolicyThatIsGone() {
    catalog = Catalog.open(folder, Clock.fixed(NOW, ZoneOffset.UTC));
    catalog
        .files()
        .put(
            new FileRecord(
                FACTS, Standing.of(FileStatus.CANDIDATE, "gone", NOW), Optional.empty(), NOW));
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private void raid() {
    catalog
        .files()
        .update(
            FILE,
            file ->
                new FileRecord(
                    file.facts().withParity(1),
                    Standing.of(FileStatus.RAIDED, "gone", NOW),
                    Optional.of(new Parity("rs-10-4", 3, 1, 1, 1, 512)),
                    file.seen()));
  }

  private ScanRound scan(Listing listing) {
    Judge judge =
        new Judge(new Policies(List.of(), List.of(), 0), "/.raid", new CodecEstimate(), clock);
    return new ScanRound(listing, catalog, judge, Optional.empty(), clock);
  }

  private FileStatus status() {
    return catalog.files().find(FILE).orElseThrow().status();
  }

  @Test
  void whatIsRaidedWhileItIsJudgedStaysRaided() throws Exception {
    ScanRound scan =
        scan(
            (top, files) -> {
              files.accept(FACTS);
              meanwhile = this::raid;
              return 1;
            });

    scan.run();

    assertThat(status()).isEqualTo(FileStatus.RAIDED);
  }

  @Test
  void whatIsLetGoWhileItIsJudgedIsNotRaidedAgain() throws Exception {
    ScanRound scan =
        scan(
            (top, files) -> {
              files.accept(FACTS);
              meanwhile = () -> catalog.files().update(FILE, FileRecord::letGo);
              return 1;
            });

    scan.run();

    assertThat(catalog.files().find(FILE))
        .get()
        .isEqualTo(catalog.files().find(FILE).map(FileRecord::letGo).orElseThrow());
  }

  @Test
  void whatNobodyTouchesIsJudged() throws Exception {
    scan((top, files) -> {
          files.accept(FACTS);
          return 1;
        })
        .run();

    assertThat(status()).isEqualTo(FileStatus.LEFT);
  }

  @Test
  void whatIsGoneIsForgottenUnlessItHasParityByThen() throws Exception {
    Clock later = Clock.fixed(NOW.plusSeconds(1), ZoneOffset.UTC);
    Judge judge =
        new Judge(new Policies(List.of(), List.of(), 0), "/.raid", new CodecEstimate(), later);
    ScanRound scan = new ScanRound((top, files) -> 0, catalog, judge, Optional.empty(), later);

    raid();
    assertThat(scan.run().forgotten()).isZero();
    catalog
        .files()
        .put(new FileRecord(FACTS, Standing.of(FileStatus.LEFT, "", NOW), Optional.empty(), NOW));
    assertThat(scan.run().forgotten()).isEqualTo(1);
    assertThat(catalog.files().find(FILE)).isEmpty();
  }
}
