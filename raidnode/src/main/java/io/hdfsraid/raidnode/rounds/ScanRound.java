package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.Standing;
import io.hdfsraid.raidnode.raid.Listing;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the namespace into the catalog, then judges what it found. Judging comes second, because
 * what the namespace as a whole tells of access times decides how far "not accessed" can be
 * believed.
 */
public final class ScanRound {
  private static final Logger LOG = LoggerFactory.getLogger(ScanRound.class);
  private static final int BATCH = 1_000;
  private static final Duration REFUSAL_STANDS = Duration.ofDays(7);
  private static final Set<Reason> FOUND_BY_RAIDING =
      EnumSet.of(
          Reason.MANIFEST_TOO_LARGE,
          Reason.REPLICA_UNPROVEN,
          Reason.PARITY_CROWDED,
          Reason.IN_SNAPSHOT);

  private final Listing listing;
  private final Catalog catalog;
  private final Judge judge;
  private final Optional<Instant> atimeSince;
  private final Clock clock;

  /**
   * A scan.
   *
   * @param atimeSince since when access times can be believed, where the administrator says so
   */
  ScanRound(
      Listing listing, Catalog catalog, Judge judge, Optional<Instant> atimeSince, Clock clock) {
    this.listing = listing;
    this.catalog = catalog;
    this.judge = judge;
    this.atimeSince = atimeSince;
    this.clock = clock;
  }

  /** What a scan found. */
  public record Scanned(long files, long candidates, long forgotten) {}

  /** One round over the whole namespace. */
  public Scanned run() throws IOException {
    // The catalog keeps milliseconds: what is seen now must not be older than this beginning.
    Instant began = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Reading reading = new Reading(began);
    long files = listing.forEach("/", reading::take);
    reading.flush();
    atimeSince
        .or(() -> reading.earliestAccess)
        .ifPresent(start -> catalog.notes().instant(Notes.TRACKING_START, start));
    long candidates = judgeAll();
    long forgotten = forgetUnseen(began);
    catalog.notes().instant(Notes.LAST_SCAN, began);
    Scanned scanned = new Scanned(files, candidates, forgotten);
    LOG.atInfo()
        .addKeyValue("files", files)
        .addKeyValue("candidates", candidates)
        .addKeyValue("forgotten", forgotten)
        .log("namespace scanned");
    return scanned;
  }

  /** Since when access times have been recorded, as far as is known. */
  public static AccessTracking tracking(Catalog catalog) {
    return catalog
        .notes()
        .instant(Notes.TRACKING_START)
        .map(AccessTracking::since)
        .orElse(AccessTracking.NONE);
  }

  private final class Reading {
    private final Instant began;
    private final List<FileFacts> batch = new ArrayList<>(BATCH);
    private Optional<Instant> earliestAccess = Optional.empty();

    Reading(Instant began) {
      this.began = began;
    }

    void take(FileFacts facts) {
      // An access time that is later than the last change was set by a read: somebody records
      // reads.
      facts
          .accessed()
          .filter(at -> at.isAfter(facts.modified()))
          .filter(at -> earliestAccess.map(at::isBefore).orElse(true))
          .ifPresent(at -> earliestAccess = Optional.of(at));
      batch.add(facts);
      if (batch.size() == BATCH) {
        flush();
      }
    }

    void flush() {
      catalog
          .files()
          .merge(
              batch,
              FileFacts::inodeId,
              (known, facts) ->
                  known.map(file -> renew(file, facts)).or(() -> Optional.of(firstSeen(facts))));
      batch.clear();
    }

    private FileRecord renew(FileRecord known, FileFacts listed) {
      OptionalInt kept = known.facts().snapshotReplication();
      // A listing does not tell of snapshots: what raiding has found out is believed for a while.
      FileFacts facts =
          kept.isPresent() && wasRefusedLately(known) ? listed.inSnapshot(kept.getAsInt()) : listed;
      return known.with(known.complete(facts), began);
    }

    private FileRecord firstSeen(FileFacts facts) {
      return new FileRecord(
          facts,
          Standing.left(Reason.NO_POLICY, "Not judged yet.", "", began),
          Optional.empty(),
          began);
    }
  }

  /** What raiding, or an operator, has done to a file since it was read, stands. */
  private long judgeAll() {
    AccessTracking tracking = tracking(catalog);
    Map<FileRecord, FileRecord> changed = new HashMap<>();
    long[] candidates = {0};
    catalog
        .files()
        .all(
            -1,
            file -> {
              if (file.parity().isEmpty() && !wasRefusedLately(file)) {
                Verdict verdict = judge.verdict(file.facts(), tracking);
                FileRecord judged =
                    isLonely(file) && verdict instanceof Verdict.RaidTogether
                        ? file // until a round of raiding finds others for it
                        : judged(file, verdict, clock);
                if (judged.status() == FileStatus.CANDIDATE) {
                  candidates[0]++;
                }
                if (!judged.equals(file)) {
                  changed.put(file, judged);
                }
              }
              if (changed.size() >= BATCH) {
                catalog.files().replaceUnchanged(changed);
                changed.clear();
              }
              return true;
            });
    catalog.files().replaceUnchanged(changed);
    return candidates[0];
  }

  /** Left by a round of raiding that found too few others to share parity with. */
  static boolean isLonely(FileRecord file) {
    return file.status() == FileStatus.LEFT
        && file.standing().reason().equals(Optional.of(Reason.NO_COMPANY));
  }

  /**
   * Raiding has just found that it cannot be done, at some cost; it would find the same tonight.
   */
  private boolean wasRefusedLately(FileRecord file) {
    return file.status() == FileStatus.LEFT
        && file.standing().reason().filter(FOUND_BY_RAIDING::contains).isPresent()
        && file.standing().since().plus(REFUSAL_STANDS).isAfter(clock.instant())
        && file.facts().modified().isBefore(file.standing().since());
  }

  /**
   * The file with its standing by this verdict; since when it has it is kept where it is the same.
   */
  static FileRecord judged(FileRecord file, Verdict verdict, Clock clock) {
    FileStatus status = verdict.whyNot().isPresent() ? FileStatus.LEFT : FileStatus.CANDIDATE;
    boolean same = file.status() == status && file.standing().reason().equals(verdict.whyNot());
    return file.with(
        new Standing(
            status,
            verdict.whyNot(),
            verdict.sentence(),
            verdict.decidedBy().map(Policy::name).orElse(""),
            same ? file.standing().since() : clock.instant(),
            verdict.changesAt()));
  }

  /** Files that HDFS did not show are gone; those with parity are the guardian's to judge. */
  private long forgetUnseen(Instant began) {
    Predicate<FileRecord> withoutParity = file -> file.parity().isEmpty();
    List<Long> gone = new ArrayList<>();
    catalog
        .files()
        .notSeenSince(
            began,
            file -> {
              if (withoutParity.test(file)) {
                gone.add(file.inode());
              }
              return true;
            });
    return gone.stream().filter(inode -> catalog.files().forget(inode, withoutParity)).count();
  }
}
