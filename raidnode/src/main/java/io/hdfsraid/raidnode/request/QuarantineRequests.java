package io.hdfsraid.raidnode.request;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.PlanView.Action;
import io.hdfsraid.raidapi.QuarantineRequest;
import io.hdfsraid.raidapi.QuarantineView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.raid.Quarantine;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.QuarantineDesk;
import io.hdfsraid.raidnode.rounds.Intent;
import io.hdfsraid.raidnode.rounds.QuarantineRound;
import io.hdfsraid.raidnode.rounds.Workers.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The quarantine, for operators. */
public final class QuarantineRequests implements QuarantineDesk {

  /** Each is looked at while the operator waits. */
  private static final int MOST = 1_000;

  private final QuarantineRound round;
  private final Intent intent;
  private final Catalog catalog;
  private final Submission changes;

  /**
   * The quarantine of one cluster.
   *
   * @param changes carries accepted requests out, bounded in what it takes
   */
  public QuarantineRequests(
      QuarantineRound round, Intent intent, Catalog catalog, Executor changes) {
    this.round = round;
    this.intent = intent;
    this.catalog = catalog;
    this.changes = new Submission(changes);
  }

  @Override
  public Page<QuarantineView> list(String below, Paging paging) throws IOException {
    int from = paging.cursor().map(QuarantineRequests::place).orElse(0);
    List<ParityFile> page = new ArrayList<>();
    int[] seen = {0};
    round
        .quarantine()
        .forEach(
            kept -> {
              if (isBelow(below, kept)) {
                if (seen[0] >= from && page.size() < paging.limit()) {
                  page.add(kept);
                }
                seen[0]++;
              }
            });
    List<QuarantineView> views = new ArrayList<>();
    for (ParityFile kept : page) {
      views.add(view(kept));
    }
    int next = from + page.size();
    return new Page<>(
        views, next < seen[0] ? Optional.of(Integer.toString(next)) : Optional.empty());
  }

  private static int place(String cursor) {
    try {
      return Math.max(0, Integer.parseInt(cursor));
    } catch (NumberFormatException e) {
      throw ApiFailure.badRequest(
          "'%s' is no cursor".formatted(cursor), "Take the one in 'next' of the page before.");
    }
  }

  private QuarantineView view(ParityFile kept) throws IOException {
    return new QuarantineView(
        Quarantine.inodeOf(kept),
        path(kept),
        kept.file().path(),
        kept.manifest().codec(),
        kept.manifest().stripes().size(),
        bytes(kept),
        kept.file().modified(),
        round.quarantine().due(kept),
        round.quarantine().unfitBecause(kept));
  }

  private static long bytes(ParityFile kept) {
    return kept.file().length() * kept.manifest().parityReplication();
  }

  /** Where the file was last seen. */
  private String path(ParityFile kept) {
    long inode = Quarantine.inodeOf(kept);
    return catalog
        .files()
        .find(inode)
        .map(file -> file.facts().path())
        .orElse("/.reserved/.inodes/" + inode);
  }

  private boolean isBelow(String top, ParityFile kept) {
    return KnownFiles.isBelow(top, path(kept));
  }

  @Override
  public PlanView restore(QuarantineRequest request) throws IOException {
    new Permission(intent).require();
    Draft plan = new Draft(Action.RESTORE, request.path());
    List<Task> tasks = new ArrayList<>();
    for (ParityFile kept : kept(request.path())) {
      long inode = Quarantine.inodeOf(kept);
      Optional<String> unfit = round.quarantine().unfitBecause(kept);
      if (unfit.isPresent()) {
        plan.refused(inode, path(kept), "Not restored: " + unfit.get(), "DOES_NOT_FIT");
        continue;
      }
      Manifest manifest = kept.manifest();
      plan.wanted(
          inode,
          path(kept),
          "Put %s back, prove it, then lower the replication from %d to %d"
              .formatted(
                  kept.file().path(), manifest.originalReplication(), manifest.targetReplication()),
          0,
          0);
      plan.frees(
          manifest.members().stream().mapToLong(member -> member.length()).sum()
              * (manifest.originalReplication() - manifest.targetReplication()));
      tasks.add(
          () -> {
            if (intent.isWithdrawing()) {
              return; // it has begun since this was accepted
            }
            // An operator wants it under parity, so policies may take it again, too.
            manifest
                .members()
                .forEach(member -> catalog.files().update(member.inode(), FileRecord::takenUp));
            round.restore(kept, OperatorRequests.OPERATOR);
          });
    }
    return changes.answer(plan, request.dryRun(), tasks);
  }

  @Override
  public PlanView purge(QuarantineRequest request) throws IOException {
    Draft plan = new Draft(Action.PURGE, request.path());
    List<Task> tasks = new ArrayList<>();
    for (ParityFile kept : kept(request.path())) {
      long inode = Quarantine.inodeOf(kept);
      Optional<String> needed = round.quarantine().neededBecause(kept);
      if (needed.isPresent()) {
        plan.refused(inode, path(kept), "Kept: " + needed.get(), "STILL_NEEDED");
        continue;
      }
      plan.wanted(inode, path(kept), "Delete %s for good".formatted(kept.file().path()), 0, 0);
      plan.frees(bytes(kept));
      tasks.add(() -> round.purge(kept, OperatorRequests.OPERATOR));
    }
    return changes.answer(plan, request.dryRun(), tasks);
  }

  private List<ParityFile> kept(String below) throws IOException {
    List<ParityFile> found = new ArrayList<>();
    round
        .quarantine()
        .forEach(
            kept -> {
              if (isBelow(below, kept)) {
                if (found.size() == MOST) {
                  throw ApiFailure.refused(
                      "There are more than %d parity files of files below %s in quarantine"
                          .formatted(MOST, below),
                      "Ask for a smaller directory.");
                }
                found.add(kept);
              }
            });
    return found;
  }
}
