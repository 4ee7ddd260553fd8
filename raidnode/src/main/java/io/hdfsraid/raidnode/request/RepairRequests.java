package io.hdfsraid.raidnode.request;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.plan.RepairDecision;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.plan.Unrecoverable;
import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.raidapi.CancelRequest;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.PlanView.Action;
import io.hdfsraid.raidapi.PlanView.Outcome;
import io.hdfsraid.raidapi.RepairRequest;
import io.hdfsraid.raidapi.StripeId;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.RepairRecord;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.RepairDesk;
import io.hdfsraid.raidnode.rounds.Rounds;
import io.hdfsraid.raidnode.rounds.Workers.Task;
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

/**
 * Plans the repairs an operator asks for and, when it is no dry run, puts them into a queue of
 * their own: a repair must not wait behind the raiding of a directory.
 */
public final class RepairRequests implements RepairDesk {
  /** So much of the queue is looked at for the plan of all of it. */
  private static final int MOST_PLANNED = 100;

  private static final Set<RepairStatus> NOT_TRIED =
      EnumSet.of(RepairStatus.UNRECOVERABLE, RepairStatus.PARKED);

  private final RaidedFiles files;
  private final Catalog catalog;
  private final Rounds rounds;
  private final Queues queues;
  private final Clock clock;

  /**
   * What carries accepted requests out.
   *
   * @param repairs takes no others
   * @param scrubs takes the requested scrubs, which can be cancelled as well
   */
  public record Queues(RequestQueue repairs, RequestQueue scrubs) {}

  public RepairRequests(
      RaidedFiles files, Catalog catalog, Rounds rounds, Queues queues, Clock clock) {
    this.files = files;
    this.catalog = catalog;
    this.rounds = rounds;
    this.queues = queues;
    this.clock = clock;
  }

  @Override
  public PlanView repair(RepairRequest request) throws IOException {
    RepairDraft plan = new RepairDraft(request.subject());
    List<Task> tasks = new ArrayList<>();
    if (request.all()) {
      planKnown(plan, tasks);
    } else if (!request.stripes().isEmpty()) {
      planStripes(request, plan, tasks);
    } else {
      planFiles(request, plan, tasks);
    }
    if (plan.hopeless && tasks.isEmpty()) {
      return plan.draft.as(
          Outcome.UNRECOVERABLE,
          "More is lost than can be rebuilt from what is left. Nothing was written; it is tried again when a DataNode returns.");
    }
    return new Submission(work -> queues.repairs().execute(request.subject(), work))
        .answer(plan.draft, request.dryRun(), tasks);
  }

  /** Asks HDFS about one file. */
  private interface Look {
    void take() throws IOException;
  }

  /** A draft, and whether something in it cannot be rebuilt. */
  private final class RepairDraft {
    private final Draft draft;
    private boolean hopeless;

    RepairDraft(String subject) {
      this.draft = new Draft(Action.REPAIR, subject);
    }

    /** One file of which nothing can be said stops no others. */
    void unlessUnreadable(long inode, String path, Look look) throws IOException {
      try {
        look.take();
      } catch (InodeGoneException | ManifestFormatException e) {
        draft.refused(inode, path, String.valueOf(e.getMessage()), "UNKNOWN");
      }
    }

    /** False when this stripe is whole, or cannot be repaired now. */
    boolean add(long inode, String path, StripeHealth health) throws IOException {
      Optional<RepairDecision> decision = rounds.repair().foresee(health);
      Optional<RepairPlan> repair = decision.flatMap(RepairDecision::plan);
      StripeId id = new StripeId(inode, health.stripe().index());
      if (repair.isPresent()) {
        draft.wanted(path, view(id, repair.get()), repair.get());
        return true;
      }
      if (decision.isPresent()) {
        boolean unrecoverable = decision.get() instanceof Unrecoverable;
        hopeless |= unrecoverable;
        draft.refused(
            inode, path, decision.get().message(), unrecoverable ? "UNRECOVERABLE" : "BLOCKED");
      }
      return false;
    }
  }

  /** What is lost of files is looked for, whatever the ledger knows. */
  private void planFiles(RepairRequest request, RepairDraft plan, List<Task> tasks)
      throws IOException {
    Set<Long> repairable = new LinkedHashSet<>();
    Set<StripeKey> planned = new HashSet<>();
    for (FileRecord record :
        files.few(request.path(), "'repair --all' repairs everything that is known to be lost.")) {
      long inode = record.inode();
      plan.unlessUnreadable(
          inode,
          record.facts().path(),
          () -> {
            for (StripeHealth health : judge(inode, request)) {
              // Of a group, each member that has blocks in a stripe comes to it.
              if (planned.add(key(health)) && plan.add(inode, record.facts().path(), health)) {
                repairable.add(rounds.attend().parityOf(inode));
              }
            }
          });
    }
    for (long id : repairable) {
      tasks.add(() -> rounds.repair().run(id, OperatorRequests.OPERATOR));
    }
  }

  private List<StripeHealth> judge(long inode, RepairRequest request) throws IOException {
    return request.dryRun() ? rounds.integrity().look(inode) : rounds.integrity().check(inode);
  }

  private static StripeKey key(StripeHealth health) {
    return new StripeKey(health.stripe().parityInode(), health.stripe().index());
  }

  private void planStripes(RepairRequest request, RepairDraft plan, List<Task> tasks)
      throws IOException {
    Set<StripeKey> wanted = new LinkedHashSet<>();
    for (StripeId id : request.stripes()) {
      plan.unlessUnreadable(
          id.inode(),
          path(id.inode()),
          () -> {
            StripeHealth health =
                (request.dryRun()
                        ? rounds.integrity().look(id.inode(), id.index())
                        : rounds.integrity().check(id.inode(), id.index()))
                    .orElseThrow(() -> noSuchStripe(id));
            if (plan.add(id.inode(), path(id.inode()), health)) {
              wanted.add(key(health));
            }
          });
    }
    if (!wanted.isEmpty()) {
      tasks.add(() -> rounds.repair().run(wanted, OperatorRequests.OPERATOR));
    }
  }

  /** The plan shows the beginning of the queue; all of it is repaired. */
  private void planKnown(RepairDraft plan, List<Task> tasks) throws IOException {
    List<RepairRecord> known = catalog.repairs().mostUrgent(Optional.empty(), MOST_PLANNED + 1);
    for (RepairRecord record : known.subList(0, Math.min(known.size(), MOST_PLANNED))) {
      plan.unlessUnreadable(
          record.inode(),
          record.path(),
          () -> {
            Optional<StripeHealth> health =
                rounds.integrity().look(record.inode(), record.stripe().index());
            if (health.isPresent()) {
              plan.add(record.inode(), record.path(), health.get());
            }
          });
    }
    if (known.size() > MOST_PLANNED) {
      plan.draft.add(
          "There is more in the queue than these %d stripes, and it is repaired as well; 'raidshell repairs' shows it."
              .formatted(MOST_PLANNED));
    }
    if (!known.isEmpty()) {
      tasks.add(() -> rounds.repair().runAll(OperatorRequests.OPERATOR));
    }
  }

  @Override
  public PlanView cancel(CancelRequest request) throws IOException {
    Draft plan = new Draft(Action.CANCEL, request.subject());
    if (request.stripes().isEmpty()) {
      cancelRequests(request, queues.repairs(), "repair", plan);
      cancelRequests(request, queues.scrubs(), "scrub", plan);
    } else {
      cancelStripes(request, plan);
    }
    if (!plan.anyWanted()) {
      return plan.as(plan.anyRefused() ? Outcome.REFUSED : Outcome.NOTHING_TO_DO, "");
    }
    return plan.as(
        request.dryRun() ? Outcome.PLANNED : plan.anyRefused() ? Outcome.PARTLY_DONE : Outcome.DONE,
        request.stripes().isEmpty()
            ? "What is lost stays in the queue, and the RaidNode repairs it when it is due; 'raidshell repair cancel --stripe' leaves a stripe for longer."
            : "");
  }

  /** Requests that were accepted and have not ended. Nothing of theirs is left half delivered. */
  private static void cancelRequests(
      CancelRequest request, RequestQueue queue, String what, Draft plan) {
    for (RequestQueue.Entry entry : queue.entries()) {
      if (request.all() || entry.subject().equals(request.path())) {
        plan.wanted(
            0,
            entry.subject(),
            entry.running()
                ? "Cut off what is under way for a requested " + what
                : "Drop a requested %s that waits".formatted(what),
            0,
            0);
        if (!request.dryRun()) {
          queue.cancel(entry);
        }
      }
    }
  }

  private void cancelStripes(CancelRequest request, Draft plan) throws IOException {
    Instant until = clock.instant().plus(request.pause());
    for (StripeId id : request.stripes()) {
      Optional<RepairRecord> record = rounds.integrity().known(id.inode(), id.index());
      if (record.isEmpty()) {
        plan.refused(
            id.inode(), path(id.inode()), "Stripe %s waits for no repair".formatted(id), "UNKNOWN");
        continue;
      }
      if (NOT_TRIED.contains(record.get().status())) {
        // To leave it for a while would hide that it is lost, or failed, and set it going after.
        plan.refused(
            id.inode(),
            record.get().path(),
            "Stripe %s is not being repaired (%s: %s), so there is nothing to leave; 'raidshell repair --stripe %s' tries it again"
                .formatted(id, record.get().status().tag(), record.get().reason(), id),
            record.get().status().name());
        continue;
      }
      plan.wanted(
          id.inode(),
          record.get().path(),
          "Leave stripe %s until %s; it can bear %d more losses"
              .formatted(id, until, Math.max(0, record.get().furtherLosses())),
          0,
          0);
      if (!request.dryRun()) {
        rounds.repair().leave(record.get().stripe(), until, OperatorRequests.OPERATOR);
      }
    }
  }

  private static PlanView.StripeRepair view(StripeId id, RepairPlan plan) {
    List<PlanView.UnitPlace> sources = new ArrayList<>();
    for (int unit : plan.recipe().helpers().minus(plan.stripe().absent()).toArray()) {
      plan.stripe().unit(unit).located().stream()
          .flatMap(block -> block.live().stream())
          .findFirst()
          .ifPresent(
              replica -> sources.add(new PlanView.UnitPlace(unit, replica.node().address())));
    }
    return new PlanView.StripeRepair(
        id,
        plan.health().lost().stream().boxed().toList(),
        sources,
        plan.deliveries().stream()
            .map(each -> new PlanView.UnitPlace(each.unit(), each.target().address()))
            .toList());
  }

  private static ApiFailure noSuchStripe(StripeId id) {
    return ApiFailure.notFound(
        "There is no stripe " + id,
        "'raidshell repairs' and 'raidshell fsck' name stripes as INODE/INDEX.");
  }

  private String path(long inode) {
    return catalog
        .files()
        .find(inode)
        .map(file -> file.facts().path())
        .orElse("/.reserved/.inodes/" + inode);
  }
}
