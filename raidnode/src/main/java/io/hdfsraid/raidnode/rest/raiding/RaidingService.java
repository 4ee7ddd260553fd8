package io.hdfsraid.raidnode.rest.raiding;

import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.raiding.core.Forecast;
import io.hdfsraid.raidnode.raiding.file.Raider;
import io.hdfsraid.raidnode.raiding.group.GroupPlan;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.Permission;
import io.hdfsraid.raidnode.rest.PreviewBuilder;
import io.hdfsraid.raidnode.rest.RaidedFiles;
import io.hdfsraid.raidnode.rest.Submission;
import io.hdfsraid.raidnode.select.JournaledRaider;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.upkeep.UnraidedByHand;
import io.hdfsraid.raidnode.worker.Workers.Task;
import io.hdfsraid.recency.hdfs.NamespaceListing;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Previews requests to raid and unraid and, unless they are dry runs, queues them. */
public class RaidingService {
  /** Most files of a request. A policy should raid more files. */
  private static final int MOST_FILES = 10_000;

  private final NamespaceListing listing;
  private final Catalog catalog;
  private final PoliciesInForce policies;
  private final OperatingMode mode;
  private final Jobs jobs;
  private final RaidedFiles raided;
  private final Executor changes;

  /**
   * The jobs that raid and release files.
   *
   * @param forecasts foresees what raiding a file would do
   * @param byHand remembers which files operators have unraided
   */
  public record Jobs(
      Raider forecasts, JournaledRaider raider, ReconcileJob reconciler, UnraidedByHand byHand) {}

  /**
   * Creates a service.
   *
   * @param changes carries out accepted requests, with a limit
   */
  public RaidingService(
      NamespaceListing listing,
      Catalog catalog,
      PoliciesInForce policies,
      OperatingMode mode,
      Jobs jobs,
      RaidedFiles raided,
      Executor changes) {
    this.listing = listing;
    this.catalog = catalog;
    this.policies = policies;
    this.mode = mode;
    this.jobs = jobs;
    this.raided = raided;
    this.changes = changes;
  }

  public ChangePreview raid(RaidRequest request, String by) throws IOException {
    request.codec().ifPresent(RaidingService::requireCodec);
    new Permission(mode).require();
    PreviewBuilder plan = new PreviewBuilder(Action.RAID, request.path());
    List<Task> tasks = new ArrayList<>();
    Map<Sharing, List<FileFacts>> sharing = new LinkedHashMap<>();
    for (FileFacts file : files(request.path())) {
      Optional<Protection> protection = protection(request, file.path());
      if (protection.isEmpty()) {
        plan.refused(
            file.inodeId(),
            file.path(),
            "No policy applies; name a codec",
            Reason.NO_POLICY.name());
        continue;
      }
      Verdict verdict =
          policies.judge().verdictOnRequest(listing.withSnapshots(file), protection.get());
      if (verdict instanceof Verdict.RaidTogether) {
        sharing
            .computeIfAbsent(
                new Sharing(GroupPlan.Bucket.of(file), protection.get()), key -> new ArrayList<>())
            .add(file);
      } else if (consider(file, verdict, protection.get(), plan)) {
        tasks.add(() -> raid(file, protection.get(), by));
      }
    }
    sharing.forEach((key, files) -> planTogether(files, key.protection(), by, plan, tasks));
    return answer(plan, request.dryRun(), tasks, changes);
  }

  /** Small files that may share parity. */
  private record Sharing(GroupPlan.Bucket bucket, Protection protection) {}

  private void planTogether(
      List<FileFacts> files,
      Protection protection,
      String by,
      PreviewBuilder plan,
      List<Task> tasks) {
    GroupPlan groups = GroupPlan.of(files, protection, policies.policies().minSavingPercent());
    for (FileFacts left : groups.left()) {
      plan.refused(left.inodeId(), left.path(), groups.whyLeft(), Reason.NO_COMPANY.name());
    }
    for (List<FileFacts> group : groups.groups()) {
      for (FileFacts file : group) {
        long written = GroupPlan.parityBytes(file, group, protection);
        plan.wanted(
            file.inodeId(),
            file.path(),
            "Encode it with %d others of its directory with %s, then lower the replication from %d to %d"
                .formatted(
                    group.size() - 1,
                    protection.codec(),
                    file.replication(),
                    protection.targetReplication()),
            file.length(),
            written);
        plan.frees(file.length() * (file.replication() - protection.targetReplication()) - written);
      }
      tasks.add(
          () -> {
            if (mode.isWithdrawing()) {
              return; // The withdrawal began after this request was accepted.
            }
            for (FileFacts file : group) {
              know(file, by);
            }
            jobs.raider().raidTogether(GroupPlan.inodes(group), protection, by);
          });
    }
  }

  private static void requireCodec(String name) {
    try {
      Codecs.parse(name);
    } catch (IllegalArgumentException e) {
      throw ApiFailure.badRequest(e.getMessage(), "'raidshell codecs' lists the codecs there are.");
    }
  }

  private Optional<Protection> protection(RaidRequest request, String path) {
    Optional<Protection> policy = policies.policies().raidingAt(path).map(Policy::protection);
    Optional<String> codec = request.codec().or(() -> policy.map(Protection::codec));
    try {
      return codec.map(
          name ->
              new Protection(
                  name,
                  request
                      .targetReplication()
                      .or(() -> policy.map(Protection::targetReplication))
                      .orElse(1),
                  policy.map(Protection::parityReplication).orElse(1)));
    } catch (IllegalArgumentException e) {
      throw ApiFailure.badRequest(e.getMessage(), "");
    }
  }

  private boolean consider(
      FileFacts file, Verdict verdict, Protection protection, PreviewBuilder plan)
      throws IOException {
    if (verdict.whyNot().isPresent()) {
      plan.refused(file.inodeId(), file.path(), verdict.sentence(), verdict.whyNot().get().name());
      return false;
    }
    Forecast forecast = jobs.forecasts().foresee(file.inodeId(), protection);
    if (forecast.refused().isPresent()) {
      plan.refused(file.inodeId(), file.path(), forecast.detail(), forecast.refused().get().name());
      return false;
    }
    plan.wanted(
        file.inodeId(),
        file.path(),
        forecast.detail(),
        forecast.bytesToRead(),
        forecast.bytesToWrite());
    plan.frees(forecast.bytesFreed());
    return true;
  }

  /** Records a file that no scan has seen yet. */
  private void know(FileFacts file, String by) throws IOException {
    jobs.raider().know(file, by);
    jobs.byHand().forget(file.inodeId());
  }

  private void raid(FileFacts file, Protection protection, String by) throws IOException {
    if (mode.isWithdrawing()) {
      return; // The withdrawal began after this request was accepted.
    }
    know(file, by);
    jobs.raider().raid(file.inodeId(), protection, by);
  }

  public ChangePreview unraid(UnraidRequest request, String by) throws IOException {
    PreviewBuilder plan = new PreviewBuilder(Action.UNRAID, request.path());
    // Members of one group go together: the group is encoded again without them, or retired.
    Map<Long, List<Long>> byParity = new LinkedHashMap<>();
    for (FileRecord record : raided.many(request.path(), "or unraid everything with --all.")) {
      FileFacts file = record.facts();
      Parity parity = record.parity().orElseThrow();
      int more = Math.max(0, parity.originalReplication() - file.replication());
      long copied = file.length() * more;
      plan.wanted(
          file.inodeId(),
          file.path(),
          "Raise the replication from %d to %d, then retire the parity"
              .formatted(file.replication(), parity.originalReplication()),
          copied,
          copied);
      plan.frees(parity.bytes() * parity.parityReplication() - copied);
      byParity
          .computeIfAbsent(jobs.reconciler().parityOf(file.inodeId()), id -> new ArrayList<>())
          .add(file.inodeId());
    }
    List<Task> tasks = new ArrayList<>();
    for (List<Long> inodes : byParity.values()) {
      tasks.add(
          () -> {
            // Done first, so that no policy raids them again, whatever happens afterwards.
            for (long inode : inodes) {
              jobs.byHand().remember(inode);
            }
            jobs.reconciler().unraid(inodes, by);
          });
    }
    return answer(plan, request.dryRun(), tasks, changes);
  }

  private static ChangePreview answer(
      PreviewBuilder plan, boolean dryRun, List<Task> tasks, Executor queue) {
    return new Submission(queue).answer(plan, dryRun, tasks);
  }

  /**
   * Returns the files at or below a path as HDFS lists them now, with the parity that the catalog
   * knows.
   */
  private List<FileFacts> files(String path) throws IOException {
    List<FileFacts> files = new ArrayList<>();
    try {
      listing.forEach(
          path,
          file -> {
            if (files.size() == MOST_FILES) {
              throw ApiFailure.refused(
                  "There are more than %d files below %s".formatted(MOST_FILES, path),
                  "Ask for a smaller directory, or write a policy.");
            }
            files.add(
                catalog
                    .files()
                    .find(file.inodeId())
                    .map(known -> known.complete(file))
                    .orElse(file));
          });
    } catch (FileNotFoundException e) {
      throw ApiFailure.notFound("There is nothing at " + path, "Check the path.");
    }
    return files;
  }
}
