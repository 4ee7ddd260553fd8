// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.journal;

import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.policies.AccessSamples;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.access.Cause;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.SkipReason;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.group.GroupOutcome;
import io.hdfsraid.raidnode.schedule.Failures;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import io.hdfsraid.recency.index.IndexedFacts;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Records each action in four places: the record of the file, the history, the log, and the
 * listeners.
 */
public final class Journal {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

  private final Catalog catalog;
  private final Clock clock;
  private final RaidEvents events;
  private final KnownTrouble trouble;
  private final LastFailures failures = new LastFailures();

  public Journal(Catalog catalog, Clock clock, RaidEvents events) {
    this(catalog, clock, events, KnownTrouble.NONE);
  }

  /**
   * @param trouble tells failures that need not be written down each time something is tried again
   */
  public Journal(Catalog catalog, Clock clock, RaidEvents events, KnownTrouble trouble) {
    this.trouble = trouble;
    this.catalog = catalog;
    this.clock = clock;
    this.events = events;
  }

  /**
   * Records the result of work on a file.
   *
   * @param action {@code raid}, {@code unraid} or {@code reconcile}
   * @param by the policy, the job or the operator that asked for the work
   */
  public void worked(String action, long inode, RaidOutcome outcome, String by) {
    AtomicReference<FileRecord> known = new AtomicReference<>();
    FileRecord after =
        catalog
            .files()
            .change(
                inode,
                found -> {
                  known.set(
                      found.or(() -> indexed(inode)).orElseGet(() -> unknown(inode, outcome)));
                  return record(known.get(), outcome, standsBy(action, known.get(), by));
                });
    failures.forget(action + " " + inode);
    if (outcome.state() == FileState.LEFT) {
      outcome.parity().ifPresent(this::forgetRepairs);
    }
    FileRecord before = known.get();
    boolean news =
        before.state() != after.state()
            || !before.progress().reason().equals(after.progress().reason());
    if (news || outcome.bytesEncoded() > 0 || outcome.unitsMoved() > 0) {
      note(
          after.state().tag(),
          Optional.of(inode),
          after.facts().path(),
          outcome.reason().isEmpty(),
          by,
          outcome.detail(),
          outcome.bytesEncoded(),
          bytesWritten(outcome, inode),
          words(before),
          words(after));
      LOG.atInfo()
          .addKeyValue("action", action)
          .addKeyValue("inode", inode)
          .addKeyValue("path", after.facts().path())
          .addKeyValue("status", after.state().tag())
          .addKeyValue("reason", after.progress().reason().map(Reason::name).orElse(""))
          .addKeyValue("moved", outcome.unitsMoved())
          .log(outcome.detail());
    }
    order(after);
    rememberUse(before, after);
    events.worked(action, after, outcome);
  }

  /** Nobody repairs the stripes of parity that is retired, and what they lost concerns nobody. */
  private void forgetRepairs(ParityFile retired) {
    catalog
        .repairs()
        .of(retired.file().inode())
        .forEach(repair -> catalog.repairs().remove(repair.stripe()));
  }

  /**
   * Remembers the use before raiding: reads from before say nothing about the remaining replica.
   */
  private void rememberUse(FileRecord before, FileRecord after) {
    if (after.parity().isEmpty()) {
      catalog.earlierUse().forget(after.inode());
    } else if (after.state() == FileState.RAIDED
        && (before.state() != FileState.RAIDED
            || !before.progress().since().equals(after.progress().since()))) {
      catalog
          .namespace()
          .file(after.inode())
          .map(IndexedFacts::rate)
          .map(rate -> AccessSamples.beginning(clock.instant(), rate))
          .ifPresent(looks -> catalog.earlierUse().put(after.inode(), looks));
    }
  }

  /**
   * Stores that the members of this parity are about to be reduced. Later results replace that. A
   * file that was reduced and whose parity was deleted right after is found by this record alone.
   *
   * @return the members that were not known to have parity
   */
  public List<Long> reducing(ParityFile committed) {
    List<Long> fresh = new ArrayList<>();
    RaidOutcome outcome =
        RaidOutcome.at(FileState.COMMITTED, "Its replication is about to be lowered")
            .under(committed);
    for (Member member : committed.manifest().members()) {
      long inode = member.inode();
      FileRecord unused =
          catalog
              .files()
              .change(
                  inode,
                  found -> {
                    FileRecord known =
                        found.or(() -> indexed(inode)).orElseGet(() -> unknown(inode, outcome));
                    if (known.parity().isPresent()) {
                      return known;
                    }
                    fresh.add(inode);
                    return record(known, outcome, known.progress().by());
                  });
    }
    return fresh;
  }

  /** Records the result of work on a group, for each member. */
  public void worked(String action, GroupOutcome outcome, String by) {
    outcome.members().forEach((inode, member) -> worked(action, inode, member, by));
  }

  /**
   * Stores a record of a file that is to be raided, unless there is one.
   *
   * @param by the policy, or the operator, that wants the file raided
   */
  public void wanted(FileFacts file, String by) {
    if (catalog.files().find(file.inodeId()).isEmpty()) {
      catalog.files().put(FileRecord.candidate(file, by, clock.instant()));
    }
  }

  /** Records that the check before raiding has skipped a file. */
  public void left(FileFacts facts, Verdict verdict) {
    Instant now = clock.instant();
    FileProgress progress = FileProgress.by(verdict, now);
    FileRecord left =
        catalog
            .files()
            .change(
                facts.inodeId(),
                known ->
                    new FileRecord(
                        facts,
                        known.map(file -> progress.after(file.progress())).orElse(progress),
                        Optional.empty(),
                        now));
    order(left);
  }

  /**
   * Takes raided and refused files off the order of coldness, where they would be visited in vain.
   */
  private void order(FileRecord file) {
    if (file.parity().isPresent()) {
      catalog.namespace().skipUnlessBusy(file.inode(), SkipReason.RAIDED.tag());
    } else if (file.state() == FileState.LEFT) {
      catalog.namespace().skipUnlessBusy(file.inode(), SkipReason.REFUSED.tag());
    }
  }

  /** Returns how loudly to log a failure: hardly, if it is explained by what is known already. */
  public Level levelOf(Throwable failure) {
    return Failures.isDeposed(failure) || trouble.explains(failure) ? Level.DEBUG : Level.WARN;
  }

  /**
   * Returns whether a failure is news for the history. In a known trouble, which has its own line,
   * only the first failure of a request is. Otherwise the same failure of the same work is not,
   * until the work has had a result.
   */
  private boolean isNews(String action, String subject, Level level, String message) {
    if (level == Level.DEBUG) {
      String request = Cause.current().request();
      return !request.isEmpty() && failures.isNews("request " + request, action);
    }
    return failures.isNews(action + " " + subject, message)
        || !Cause.current().request().isEmpty(); // somebody waits for the answer
  }

  /** Records that work on a group failed; no change of its members is known. */
  public void failed(String action, GroupId group, Exception e, String by) {
    String message = Failures.words(e);
    Level known = levelOf(e);
    boolean news = isNews(action, group.toString(), known, message);
    Level level = news ? known : Level.DEBUG;
    if (news) {
      note(action, Optional.empty(), group.toString(), false, by, message, 0, 0);
    }
    LOG.atLevel(level)
        .addKeyValue("action", action)
        .addKeyValue("group", group.value())
        .setCause(e)
        .log("failed; it will be tried again");
  }

  /** Records that work on a file failed; no change of the file is known. */
  public void failed(String action, long inode, Exception e, String by) {
    String path =
        catalog.files().find(inode).map(file -> file.facts().path()).orElse("inode " + inode);
    String message = Failures.words(e);
    Level known = levelOf(e);
    boolean news = isNews(action, Long.toString(inode), known, message);
    Level level = news ? known : Level.DEBUG;
    if (news) {
      note(action, Optional.of(inode), path, false, by, message, 0, 0);
    }
    LOG.atLevel(level)
        .addKeyValue("action", action)
        .addKeyValue("inode", inode)
        .addKeyValue("path", path)
        .setCause(e)
        .log("failed; it will be tried again");
  }

  /** Records that requested work could not begin, because another task works on the file. */
  public void busy(String action, long inode, String detail, String by) {
    String path =
        catalog.files().find(inode).map(file -> file.facts().path()).orElse("inode " + inode);
    note(action, Optional.of(inode), path, false, by, detail, 0, 0);
    LOG.atInfo()
        .addKeyValue("action", action)
        .addKeyValue("inode", inode)
        .addKeyValue("path", path)
        .log(detail);
  }

  /** Adds a line to the history. */
  public void note(
      String event,
      Optional<Long> inode,
      String path,
      boolean succeeded,
      String by,
      String detail,
      long bytesRead,
      long bytesWritten) {
    note(event, inode, path, succeeded, by, detail, bytesRead, bytesWritten, "", "");
  }

  private void note(
      String event,
      Optional<Long> inode,
      String path,
      boolean succeeded,
      String by,
      String detail,
      long bytesRead,
      long bytesWritten,
      String before,
      String after) {
    catalog
        .history()
        .add(
            new io.hdfsraid.raidnode.catalog.HistoryRecord(
                    clock.instant(),
                    event,
                    inode,
                    path,
                    succeeded,
                    by,
                    detail,
                    bytesRead,
                    bytesWritten)
                .changing(before, after));
  }

  /** Returns what a step changes of a file. */
  private static String words(FileRecord file) {
    return "%s, replication %d".formatted(file.state().tag(), file.facts().replication());
  }

  private FileRecord record(FileRecord before, RaidOutcome outcome, String by) {
    FileState state = outcome.state();
    boolean same = before.state() == state && before.progress().reason().equals(outcome.reason());
    Instant since = same ? before.progress().since() : clock.instant();
    Optional<Parity> parity =
        outcome.state() == FileState.LEFT
            ? Optional.empty()
            : outcome.parity().map(file -> parity(file, before.inode())).or(before::parity);
    FileFacts facts =
        parity
            .map(p -> before.facts().withParity(p.targetReplication()))
            .orElseGet(() -> released(before));
    return new FileRecord(
        asSet(facts, before.state(), state, parity),
        new FileProgress(state, outcome.reason(), outcome.detail(), by, since, Optional.empty()),
        parity,
        before.seen());
  }

  /** Returns the facts of a file after its parity is gone: it has its earlier replication. */
  private static FileFacts released(FileRecord before) {
    FileFacts facts = before.facts().withoutParity();
    return before
        .parity()
        .map(parity -> facts.withReplication(parity.originalReplication()))
        .orElse(facts);
  }

  /** The reconciler must not replace the policy that raided the file. */
  private static String standsBy(String action, FileRecord before, String by) {
    return action.equals("reconcile") && !before.progress().by().isEmpty()
        ? before.progress().by()
        : by;
  }

  /**
   * Returns the facts with the replication that this step has set. The next scan sees what users do
   * to it.
   */
  private static FileFacts asSet(
      FileFacts facts, FileState before, FileState now, Optional<Parity> parity) {
    if (now == before || parity.isEmpty()) {
      return facts;
    }
    return switch (now) {
      case REDUCED ->
          before == FileState.RAIDED
              ? facts
              : facts.withReplication(parity.get().targetReplication());
      case UNRAIDING -> facts.withReplication(parity.get().originalReplication());
      default -> facts;
    };
  }

  /**
   * Returns a member's part of the parity of its group: the stripes that hold its blocks, and a
   * share of the bytes by length.
   */
  static Parity parity(ParityFile file, long inode) {
    Manifest manifest = file.manifest();
    long stripes =
        manifest.stripes().stream()
            .filter(stripe -> manifest.membersOf(stripe).contains(inode))
            .count();
    return new Parity(
        manifest.codec(),
        manifest.originalReplication(),
        manifest.targetReplication(),
        manifest.parityReplication(),
        Math.toIntExact(stripes),
        share(file, inode));
  }

  /** Rounds so that the shares of all members add up to the whole. */
  private static long share(ParityFile file, long inode) {
    BigInteger whole = BigInteger.valueOf(file.file().length());
    BigInteger all = BigInteger.valueOf(Math.max(1, lengthOf(file)));
    long before = 0;
    for (Member member : file.manifest().members()) {
      long after = before + member.length();
      if (member.inode() == inode) {
        return whole.multiply(BigInteger.valueOf(after)).divide(all).longValue()
            - whole.multiply(BigInteger.valueOf(before)).divide(all).longValue();
      }
      before = after;
    }
    return 0;
  }

  private static long lengthOf(ParityFile file) {
    return file.manifest().members().stream().mapToLong(Member::length).sum();
  }

  private Optional<FileRecord> indexed(long inode) {
    return catalog
        .namespace()
        .file(inode)
        .map(file -> FileRecord.candidate(IndexedFacts.of(file), "", clock.instant()));
  }

  /**
   * Returns a record of a file that HDFS shows and the catalog does not know. The next scan finds
   * its path.
   */
  private FileRecord unknown(long inode, RaidOutcome outcome) {
    Manifest manifest = outcome.parity().map(ParityFile::manifest).orElse(null);
    long length =
        manifest == null
            ? 0
            : manifest.members().stream()
                .filter(member -> member.inode() == inode)
                .mapToLong(Member::length)
                .sum();
    int blocks = manifest == null ? 0 : manifest.blocksOf(inode).size();
    long blockSize = blocks == 0 ? 1 : Math.max(1, (length + blocks - 1) / blocks);
    FileFacts facts =
        FileFacts.of(
            InodePath.of(inode),
            inode,
            length,
            blockSize,
            manifest == null ? 0 : manifest.targetReplication(),
            Instant.EPOCH);
    return new FileRecord(
        facts,
        FileProgress.of(FileState.LEFT, "", clock.instant()),
        Optional.empty(),
        clock.instant());
  }

  private static long bytesWritten(RaidOutcome outcome, long inode) {
    return outcome.bytesEncoded() > 0
        ? outcome
            .parity()
            .map(file -> share(file, inode) * file.manifest().parityReplication())
            .orElse(0L)
        : 0;
  }
}
