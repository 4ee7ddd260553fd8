// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.repairs;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.plan.RepairDecision;
import io.hdfsraid.blockfixer.plan.RepairImpossible;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.StripeId;
import io.hdfsraid.raidapi.repairs.CancelRepairRequest;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.repair.RepairJob;
import io.hdfsraid.raidnode.repair.StripeChecks;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.PreviewBuilder;
import io.hdfsraid.raidnode.rest.RaidedFiles;
import io.hdfsraid.raidnode.rest.tasks.Submission;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Previews the repairs that an operator requests and, unless the request is a dry run, queues them.
 * Repairs have a queue of their own, so that they never wait for the raiding of a directory.
 */
public class RepairService {
  /** Most repairs of the ledger to plan for the preview of all repairs. */
  private static final int MOST_PLANNED = 100;

  private static final Set<RepairStatus> NOT_TRIED =
      EnumSet.of(RepairStatus.UNRECOVERABLE, RepairStatus.PARKED);

  private final RaidedFiles files;
  private final Catalog catalog;
  private final Jobs jobs;
  private final Queues queues;
  private final Clock clock;

  /** The jobs that look for losses, repair them, and know which parity protects a file. */
  public record Jobs(StripeChecks stripes, RepairJob repair, ReconcileJob reconciler) {}

  /**
   * The queues of accepted requests.
   *
   * @param repairs queue of repairs only
   * @param scrubs queue of requested scrubs, which can be cancelled as well
   */
  public record Queues(TaskQueue repairs, TaskQueue scrubs) {}

  public RepairService(RaidedFiles files, Catalog catalog, Jobs jobs, Queues queues, Clock clock) {
    this.files = files;
    this.catalog = catalog;
    this.jobs = jobs;
    this.queues = queues;
    this.clock = clock;
  }

  /** Repairs, unless the request is a dry run. */
  public ChangePreview repair(RepairRequest request, String by) throws IOException {
    RepairDraft plan = new RepairDraft(request.subject(), by);
    RequestedRepairs work = new RequestedRepairs(catalog.repairs());
    if (request.all()) {
      planKnown(plan, work);
    } else if (!request.stripes().isEmpty()) {
      planStripes(request, plan, work);
    } else {
      planFiles(request, plan, work);
    }
    if (plan.hopeless && work.isEmpty()) {
      return plan.draft.as(
          Outcome.UNRECOVERABLE,
          "More units are lost than can be rebuilt. Nothing was written. The repair is tried"
              + " again when a DataNode returns.");
    }
    return new Submission(queues.repairs()).answer(plan.draft, "", request.dryRun(), by, work);
  }

  /** Asks HDFS about one file. */
  private interface Look {
    void take() throws IOException;
  }

  /** A preview that is being built, and whether some part cannot be rebuilt. */
  private final class RepairDraft {
    private final PreviewBuilder draft;
    private final String by;
    private boolean hopeless;

    RepairDraft(String subject, String by) {
      this.by = by;
      this.draft = new PreviewBuilder(Action.REPAIR, subject);
    }

    /** Runs a check; a file that cannot be checked does not stop the others. */
    void unlessUnreadable(long inode, String path, Look look) throws IOException {
      try {
        look.take();
      } catch (InodeGoneException | ManifestFormatException e) {
        draft.refused(inode, path, String.valueOf(e.getMessage()), "UNKNOWN");
      }
    }

    /** Adds a stripe. Returns false if the stripe is healthy or cannot be repaired now. */
    boolean add(long inode, String path, StripeHealth health, RequestedRepairs work)
        throws IOException {
      Optional<RepairDecision> decision = jobs.repair().foresee(health);
      Optional<RepairPlan> repair = decision.flatMap(RepairDecision::plan);
      StripeId id = new StripeId(inode, health.stripe().index());
      if (repair.isPresent()) {
        draft.wanted(path, view(id, repair.get()), repair.get());
        work.plan(key(health), repair.get().bytesToRead());
        return true;
      }
      if (decision.isPresent()) {
        boolean unrecoverable = decision.get() instanceof RepairImpossible;
        hopeless |= unrecoverable;
        draft.refused(
            inode, path, decision.get().message(), unrecoverable ? "UNRECOVERABLE" : "BLOCKED");
      }
      return false;
    }
  }

  /** Looks for lost units of files, whatever the ledger knows. */
  private void planFiles(RepairRequest request, RepairDraft plan, RequestedRepairs work)
      throws IOException {
    Set<Long> repairable = new LinkedHashSet<>();
    Set<StripeKey> planned = new HashSet<>();
    for (FileRecord record :
        files.few(request.path(), "'repair --all' repairs all known losses.")) {
      long inode = record.inode();
      plan.unlessUnreadable(
          inode,
          record.facts().path(),
          () -> {
            for (StripeHealth health : judge(inode, request)) {
              // Several members of a group have blocks in the same stripe.
              if (planned.add(key(health))
                  && plan.add(inode, record.facts().path(), health, work)) {
                repairable.add(jobs.reconciler().parityOf(inode));
              }
            }
          });
    }
    for (long id : repairable) {
      work.add(ended -> jobs.repair().run(id, plan.by, ended));
    }
  }

  private List<StripeHealth> judge(long inode, RepairRequest request) throws IOException {
    return request.dryRun() ? jobs.stripes().look(inode) : jobs.stripes().check(inode);
  }

  private static StripeKey key(StripeHealth health) {
    return new StripeKey(health.stripe().parityInode(), health.stripe().index());
  }

  private void planStripes(RepairRequest request, RepairDraft plan, RequestedRepairs work)
      throws IOException {
    Set<StripeKey> wanted = new LinkedHashSet<>();
    for (StripeId id : request.stripes()) {
      plan.unlessUnreadable(
          id.inode(),
          path(id.inode()),
          () -> {
            StripeHealth health =
                (request.dryRun()
                        ? jobs.stripes().look(id.inode(), id.index())
                        : jobs.stripes().check(id.inode(), id.index()))
                    .orElseThrow(() -> noSuchStripe(id));
            if (plan.add(id.inode(), path(id.inode()), health, work)) {
              wanted.add(key(health));
            }
          });
    }
    if (!wanted.isEmpty()) {
      work.add(ended -> jobs.repair().run(wanted, plan.by, ended));
    }
  }

  /** Previews the beginning of the queue; the whole queue is repaired. */
  private void planKnown(RepairDraft plan, RequestedRepairs work) throws IOException {
    List<RepairState> known = catalog.repairs().mostUrgent(Optional.empty(), MOST_PLANNED + 1);
    for (RepairState record : known.subList(0, Math.min(known.size(), MOST_PLANNED))) {
      plan.unlessUnreadable(
          record.inode(),
          record.path(),
          () -> {
            Optional<StripeHealth> health =
                jobs.stripes().look(record.inode(), record.stripe().index());
            if (health.isPresent()) {
              plan.add(record.inode(), record.path(), health.get(), work);
            }
          });
    }
    if (known.size() > MOST_PLANNED) {
      plan.draft.add(
          "There is more in the queue than these %d stripes, and it is repaired as well; 'raidshell repairs' shows it."
              .formatted(MOST_PLANNED));
    }
    if (!known.isEmpty()) {
      work.planFurther(Math.max(0, known() - work.planned()));
      work.add(ended -> jobs.repair().runAll(plan.by, ended));
    }
  }

  private long known() {
    return Stream.of(RepairStatus.values()).mapToLong(catalog.repairs()::count).sum();
  }

  /** Cancels requests, or pauses the repair of stripes, unless the request is a dry run. */
  public ChangePreview cancel(CancelRepairRequest request, String by) throws IOException {
    PreviewBuilder plan = new PreviewBuilder(Action.CANCEL, request.subject());
    if (request.stripes().isEmpty()) {
      cancelRequests(request, queues.repairs(), "repair", by, plan);
      cancelRequests(request, queues.scrubs(), "scrub", by, plan);
    } else {
      cancelStripes(request, by, plan);
    }
    if (!plan.anyWanted()) {
      return plan.as(plan.anyRefused() ? Outcome.REFUSED : Outcome.NOTHING_TO_DO, "");
    }
    return plan.as(
        request.dryRun() ? Outcome.PLANNED : plan.anyRefused() ? Outcome.PARTLY_DONE : Outcome.DONE,
        request.stripes().isEmpty()
            ? "Lost units stay in the queue, and the RaidNode repairs them when they are due;"
                + " 'raidshell repair cancel --stripe' pauses the repair of a stripe."
            : "");
  }

  /** Cancels accepted requests that have not ended. No unit is left half delivered. */
  private static void cancelRequests(
      CancelRepairRequest request, TaskQueue queue, String what, String by, PreviewBuilder plan) {
    List<TaskQueue.Entry> entries =
        queue.entries().stream()
            .filter(entry -> request.all() || entry.subject().equals(request.path()))
            .toList();
    for (TaskQueue.Entry entry : entries) {
      plan.wanted(
          0,
          entry.subject(),
          entry.running()
              ? "Interrupt a requested " + what
              : "Drop a waiting request for a %s".formatted(what),
          0,
          0);
    }
    if (!request.dryRun()) {
      queue.cancel(entries, by);
    }
  }

  private void cancelStripes(CancelRepairRequest request, String by, PreviewBuilder plan)
      throws IOException {
    Instant until = clock.instant().plus(request.pause());
    for (StripeId id : request.stripes()) {
      Optional<RepairState> record = jobs.stripes().known(id.inode(), id.index());
      if (record.isEmpty()) {
        plan.refused(
            id.inode(),
            path(id.inode()),
            "Stripe %s is not in the repair queue".formatted(id),
            "UNKNOWN");
        continue;
      }
      if (NOT_TRIED.contains(record.get().status())) {
        // A pause would hide that the stripe is unrecoverable or failed, and start it again later.
        plan.refused(
            id.inode(),
            record.get().path(),
            "Stripe %s is not being repaired (%s: %s), so there is nothing to pause; 'raidshell repair --stripe %s' tries it again"
                .formatted(id, record.get().status().tag(), record.get().reason(), id),
            record.get().status().name());
        continue;
      }
      plan.wanted(
          id.inode(),
          record.get().path(),
          "Pause the repair of stripe %s until %s; it tolerates %d more losses"
              .formatted(id, until, Math.max(0, record.get().furtherLosses())),
          0,
          0);
      if (!request.dryRun()) {
        jobs.repair().leave(record.get().stripe(), until, by);
      }
    }
  }

  private static ChangePreview.StripeRepair view(StripeId id, RepairPlan plan) {
    List<ChangePreview.UnitPlace> sources = new ArrayList<>();
    for (int unit : plan.recipe().helpers().minus(plan.stripe().absent()).toArray()) {
      plan.stripe().unit(unit).located().stream()
          .flatMap(block -> block.live().stream())
          .findFirst()
          .ifPresent(
              replica -> sources.add(new ChangePreview.UnitPlace(unit, replica.node().address())));
    }
    return new ChangePreview.StripeRepair(
        id,
        plan.health().lost().stream().boxed().toList(),
        sources,
        plan.deliveries().stream()
            .map(each -> new ChangePreview.UnitPlace(each.unit(), each.target().address()))
            .toList());
  }

  private static ApiFailure noSuchStripe(StripeId id) {
    return ApiFailure.notFound(
        "There is no stripe " + id,
        "'raidshell repairs' and 'raidshell fsck' list stripes as INODE/INDEX.");
  }

  private String path(long inode) {
    return catalog.files().find(inode).map(file -> file.facts().path()).orElse(InodePath.of(inode));
  }
}
