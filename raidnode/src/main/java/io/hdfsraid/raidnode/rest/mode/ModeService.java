// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.mode;

import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.mode.FootprintReport;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidapi.mode.WithdrawRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.OperatingMode.Withdrawal;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.file.Abandonment;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.PreviewBuilder;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.rest.tasks.TaskWork;
import io.hdfsraid.raidnode.upkeep.WithdrawalJob;
import java.io.IOException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;

/**
 * Changes the operating mode for operators: pause, resume and withdraw. It stores the mode; the
 * jobs carry it out. It also shows what HDFS-RAID occupies on HDFS.
 */
public class ModeService {
  private static final String EVERYTHING = "/";
  private static final int MOST_BLOCKS_NAMED = 5;

  private final WithdrawalJob round;
  private final ParityStore parity;
  private final Namespace namespace;
  private final Catalog catalog;
  private final String root;
  private final TaskQueue tasks;
  private final Clock clock;

  /**
   * Creates a service.
   *
   * @param tasks follows withdrawals, and does nothing else
   */
  public ModeService(
      WithdrawalJob round,
      ParityStore parity,
      Namespace namespace,
      Catalog catalog,
      String root,
      TaskQueue tasks,
      Clock clock) {
    this.round = round;
    this.parity = parity;
    this.namespace = namespace;
    this.catalog = catalog;
    this.root = root;
    this.tasks = tasks;
    this.clock = clock;
  }

  /** Continues the tasks of withdrawals that an earlier process has not ended. */
  public void takeUp() {
    for (TaskReport task : catalog.tasks().unfinished(Action.WITHDRAW)) {
      tasks.takeUp(task, followed());
    }
  }

  private TaskWork followed() {
    return new FollowedWithdrawal(round.mode(), round::filesUnderParity);
  }

  public ChangePreview withdraw(WithdrawRequest request, String by) throws IOException {
    requirePresence();
    if (!request.abandon().isEmpty()) {
      return abandon(request.abandon(), request.dryRun(), by);
    }
    long copied = 0;
    long freed = 0;
    for (Total total : catalog.files().totals()) {
      if (WithdrawalJob.isUnderParity(total.state())) {
        copied += Math.max(0, total.replicasBefore() - total.physicalBytes());
        freed += total.parityBytes();
      }
    }
    requireRoom(copied);
    Withdrawal how =
        request.removeRoot()
            ? Withdrawal.REMOVE_ROOT
            : request.purge() ? Withdrawal.PURGE : Withdrawal.UNRAID;
    ChangePreview plan =
        plan(
            Action.WITHDRAW,
            request.dryRun() ? Outcome.PLANNED : Outcome.ACCEPTED,
            round.filesUnderParity(),
            copied,
            freed - copied,
            "Policies raid nothing more. Every file under parity gets its replicas back; %s. 'raidshell footprint' shows what is left on HDFS."
                .formatted(then(how)));
    if (request.dryRun()) {
      return plan;
    }
    String before = policies();
    round.mode().withdraw(how);
    note("withdrawing", "Every file is unraided; " + then(how), by, before);
    try {
      return tasks.change(plan, by, followed());
    } catch (RejectedExecutionException e) {
      return plan; // Enough tasks follow the same withdrawal.
    }
  }

  private ChangePreview abandon(List<String> paths, boolean dryRun, String by) throws IOException {
    if (round.mode().withdrawal().isEmpty()) {
      throw ApiFailure.refused(
          "No withdrawal is under way, so nothing waits for files that are lost",
          "'raidshell unraid --all' starts one; 'raidshell footprint' names the files it waits for.");
    }
    Map<String, LocatedFile> files = new LinkedHashMap<>();
    for (String path : paths) {
      files.put(path, existing(path)); // all of them, before anything is given up
    }
    PreviewBuilder preview = new PreviewBuilder(Action.ABANDON, paths.get(0));
    for (Map.Entry<String, LocatedFile> each : files.entrySet()) {
      String path = each.getKey();
      LocatedFile file = each.getValue();
      try {
        add(path, file, dryRun ? round.abandonable(file) : round.abandon(file, path, by), preview);
      } catch (FileInWorkException e) {
        preview.refused(file.inode(), path, e.getMessage(), "IN_WORK");
      }
    }
    Outcome outcome =
        !preview.anyWanted()
            ? Outcome.REFUSED
            : dryRun ? Outcome.PLANNED : preview.anyRefused() ? Outcome.PARTLY_DONE : Outcome.DONE;
    return preview.as(
        outcome,
        "Nothing of these files is deleted. When every other block has its replicas, the parity goes"
            + " into quarantine, and the lost blocks stay lost unless their DataNodes come back"
            + deadNodes()
            + ".");
  }

  private LocatedFile existing(String path) throws IOException {
    return namespace
        .file(path)
        .orElseThrow(
            () ->
                ApiFailure.notFound(
                    "There is no file " + path,
                    "If it was deleted and a snapshot holds its blocks, the withdrawal goes on"
                        + " when the snapshot is deleted."));
  }

  /** Whoever gives data up should know of the machines that may still have it. */
  private String deadNodes() throws IOException {
    int dead = namespace.deadNodes().size();
    return dead == 0 ? "" : " (%d DataNodes are dead now)".formatted(dead);
  }

  private static void add(
      String path, LocatedFile file, Abandonment.Verdict verdict, PreviewBuilder preview) {
    if (verdict.refused().isPresent()) {
      preview.refused(file.inode(), path, verdict.refused().get(), "NOT_LOST_FOR_GOOD");
    } else {
      preview.wanted(
          file.inode(),
          path,
          "give up %d of %d blocks, which nothing can rebuild: %s"
              .formatted(verdict.lostBlocks().size(), verdict.blocks(), named(verdict)),
          0,
          0);
    }
  }

  private static String named(Abandonment.Verdict verdict) {
    String some =
        verdict.lostBlocks().stream()
            .limit(MOST_BLOCKS_NAMED)
            .map(id -> "blk_" + id)
            .collect(Collectors.joining(" "));
    return verdict.lostBlocks().size() > MOST_BLOCKS_NAMED ? some + " ..." : some;
  }

  private static String then(Withdrawal how) {
    return switch (how) {
      case UNRAID -> "its parity stays in quarantine for the configured time";
      case PURGE -> "its parity is deleted as soon as no block needs it";
      case REMOVE_ROOT ->
          "its parity is deleted as soon as no block needs it, then the root directory, the owner"
              + " file last";
    };
  }

  /** Refuses a withdrawal that would fill the cluster and fail halfway. */
  private void requireRoom(long bytes) throws IOException {
    long remaining =
        namespace.nodes().stream()
            .filter(NodeState::inService)
            .mapToLong(NodeState::remaining)
            .sum();
    if (bytes > remaining) {
      throw ApiFailure.refused(
          "The replicas need %d bytes, but the DataNodes in service have %d bytes left"
              .formatted(bytes, remaining),
          "Free space, or unraid directories one by one: 'raidshell unraid <path>'.");
    }
  }

  private void requirePresence() {
    round
        .mode()
        .gone()
        .ifPresent(
            since -> {
              throw ApiFailure.refused(
                  "Nothing of HDFS-RAID is left on this cluster since "
                      + since.truncatedTo(ChronoUnit.SECONDS),
                  "Restart the RaidNode to use HDFS-RAID on this cluster again.");
            });
  }

  public ChangePreview pause(PauseRequest request, String by, Optional<String> noAdmin) {
    OperatingMode mode = round.mode();
    Action action = request.paused() ? Action.PAUSE : Action.RESUME;
    if (!request.paused() && mode.withdrawal().isPresent() && noAdmin.isPresent()) {
      throw new ApiFailure(
          ErrorCode.FORBIDDEN,
          "A withdrawal is under way, which 'resume' would end: " + noAdmin.get(),
          "An admin can end it.");
    }
    if (!request.paused()) {
      requirePresence();
    }
    boolean isSo =
        request.paused()
            ? mode.paused().isPresent()
            : mode.paused().isEmpty() && mode.withdrawal().isEmpty();
    Outcome outcome =
        isSo ? Outcome.NOTHING_TO_DO : request.dryRun() ? Outcome.PLANNED : Outcome.DONE;
    if (outcome == Outcome.DONE) {
      String before = policies();
      if (request.paused()) {
        mode.pause();
        note("paused", "Policies raid nothing more", by, before);
      } else {
        mode.resume();
        note("resumed", "Policies go on", by, before);
      }
    }
    return plan(
        action,
        outcome,
        0,
        0,
        0,
        request.paused()
            ? "Policies raid nothing until 'raidshell resume'; repairs go on, and what is half done"
                + " is finished."
            : "Policies raid again when their time comes; a withdrawal under way ends where it"
                + " is.");
  }

  private static ChangePreview plan(
      Action action, Outcome outcome, long files, long copied, long freed, String note) {
    return new ChangePreview(action, EVERYTHING, outcome, files, copied, copied, freed, note);
  }

  private void note(String event, String detail, String by, String before) {
    catalog
        .history()
        .add(
            new HistoryRecord(
                    clock.instant(), event, Optional.empty(), EVERYTHING, true, by, detail, 0, 0)
                .changing(before, policies()));
  }

  /** Returns what HDFS-RAID occupies on HDFS now. */
  public FootprintReport footprint() throws IOException {
    Footprint footprint = parity.footprint();
    return new FootprintReport(
        clock.instant(),
        root,
        footprint.root(),
        footprint.committed(),
        footprint.quarantined(),
        footprint.drafts(),
        footprint.foreign(),
        footprint.foreignEntries(),
        round.filesUnderParity(),
        policies(),
        round.waiting());
  }

  private String policies() {
    OperatingMode mode = round.mode();
    if (mode.gone().isPresent()) {
      return "withdrawn since " + mode.gone().get().truncatedTo(ChronoUnit.SECONDS);
    }
    if (mode.withdrawal().isPresent()) {
      return "paused, withdrawing";
    }
    return mode.paused()
        .map(since -> "paused since " + since.truncatedTo(ChronoUnit.SECONDS))
        .orElse("in force");
  }
}
