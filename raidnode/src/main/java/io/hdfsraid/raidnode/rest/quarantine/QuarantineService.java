// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.quarantine;

import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.quarantine.QuarantineRequest;
import io.hdfsraid.raidapi.quarantine.QuarantinedParity;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.raiding.file.Quarantine;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.Cursors;
import io.hdfsraid.raidnode.rest.Permission;
import io.hdfsraid.raidnode.rest.PreviewBuilder;
import io.hdfsraid.raidnode.rest.tasks.Submission;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.rest.tasks.TaskWork;
import io.hdfsraid.raidnode.rest.tasks.TaskWork.Step;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.upkeep.UnraidedByHand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists, restores and purges parity in quarantine for operators. */
public class QuarantineService {

  /** Most parity files of a request; each is checked while the operator waits. */
  private static final int MOST = 1_000;

  private final QuarantineJob round;
  private final OperatingMode mode;
  private final Catalog catalog;
  private final UnraidedByHand byHand;
  private final Submission changes;

  /**
   * Creates a service.
   *
   * @param changes carries out the tasks of accepted requests
   */
  public QuarantineService(
      QuarantineJob round,
      OperatingMode mode,
      Catalog catalog,
      UnraidedByHand byHand,
      TaskQueue changes) {
    this.round = round;
    this.mode = mode;
    this.catalog = catalog;
    this.byHand = byHand;
    this.changes = new Submission(changes);
  }

  public Page<QuarantinedParity> list(String below, Paging paging) throws IOException {
    int from = paging.cursor().map(QuarantineService::place).orElse(0);
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
    List<QuarantinedParity> views = new ArrayList<>();
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
      throw Cursors.notOne(cursor);
    }
  }

  private QuarantinedParity view(ParityFile kept) throws IOException {
    return new QuarantinedParity(
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

  /** Returns the last known path of the file. */
  private String path(ParityFile kept) {
    long inode = Quarantine.inodeOf(kept);
    return catalog.files().find(inode).map(file -> file.facts().path()).orElse(InodePath.of(inode));
  }

  private boolean isBelow(String top, ParityFile kept) {
    return KnownFiles.isBelow(top, path(kept));
  }

  public ChangePreview restore(QuarantineRequest request, String by) throws IOException {
    new Permission(mode).require();
    PreviewBuilder plan = new PreviewBuilder(Action.RESTORE, request.path());
    List<Step> steps = new ArrayList<>();
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
          "Put %s back, verify it, then lower the replication from %d to %d"
              .formatted(
                  kept.file().path(), manifest.originalReplication(), manifest.targetReplication()),
          0,
          0);
      plan.frees(
          manifest.members().stream().mapToLong(member -> member.length()).sum()
              * (manifest.originalReplication() - manifest.targetReplication()));
      steps.add(
          new Step(
              path(kept),
              0,
              read -> {
                if (mode.isWithdrawing()) {
                  return Optional.of("A withdrawal began after this request was accepted");
                }
                // An operator has asked for parity, so policies may raid the file again, too.
                for (Member member : manifest.members()) {
                  byHand.forget(member.inode());
                }
                return round.restore(kept, by);
              }));
    }
    return changes.answer(plan, "", request.dryRun(), by, TaskWork.of(steps));
  }

  public ChangePreview purge(QuarantineRequest request, String by) throws IOException {
    PreviewBuilder plan = new PreviewBuilder(Action.PURGE, request.path());
    List<Step> steps = new ArrayList<>();
    for (ParityFile kept : kept(request.path())) {
      long inode = Quarantine.inodeOf(kept);
      Optional<String> needed = round.quarantine().neededBecause(kept);
      if (needed.isPresent()) {
        plan.refused(inode, path(kept), "Kept: " + needed.get(), "STILL_NEEDED");
        continue;
      }
      plan.wanted(inode, path(kept), "Delete %s for good".formatted(kept.file().path()), 0, 0);
      plan.frees(bytes(kept));
      steps.add(new Step(path(kept), 0, read -> round.purge(kept, by)));
    }
    return changes.answer(plan, "", request.dryRun(), by, TaskWork.of(steps));
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
