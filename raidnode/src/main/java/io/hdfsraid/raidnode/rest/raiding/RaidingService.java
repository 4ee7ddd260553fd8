// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.raiding;

import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.FileState;
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
import io.hdfsraid.raidnode.rest.tasks.Submission;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.rest.tasks.TaskWork;
import io.hdfsraid.raidnode.rest.tasks.TaskWork.Step;
import io.hdfsraid.raidnode.select.JournaledRaider;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.upkeep.UnraidedByHand;
import io.hdfsraid.recency.hdfs.NamespaceListing;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Previews requests to raid and unraid and, unless they are dry runs, queues them. */
public class RaidingService {
  /** Most files of a request. A policy should raid more files. */
  private static final int MOST_FILES = 10_000;

  private static final String WITHDRAWING =
      "A withdrawal began after this request was accepted, so nothing is raided";

  private static final Set<FileState> STILL_RAIDED =
      EnumSet.of(FileState.COMMITTED, FileState.REDUCED, FileState.RAIDED);

  private final NamespaceListing listing;
  private final Catalog catalog;
  private final PoliciesInForce policies;
  private final OperatingMode mode;
  private final Jobs jobs;
  private final RaidedFiles raided;
  private final TaskQueue changes;

  /**
   * The jobs that raid and release files.
   *
   * @param forecasts foresees what raiding a file would do
   * @param byHand remembers which files operators have unraided
   * @param unclear told of directories with files of which the index knows the paths at most
   */
  public record Jobs(
      Raider forecasts,
      JournaledRaider raider,
      ReconcileJob reconciler,
      UnraidedByHand byHand,
      Consumer<String> unclear) {}

  /**
   * Creates a service.
   *
   * @param changes carries out the tasks of accepted requests
   */
  public RaidingService(
      NamespaceListing listing,
      Catalog catalog,
      PoliciesInForce policies,
      OperatingMode mode,
      Jobs jobs,
      RaidedFiles raided,
      TaskQueue changes) {
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
    List<Step> steps = new ArrayList<>();
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
        steps.add(
            new Step(file.path(), file.length(), read -> raid(file, protection.get(), by, read)));
      }
    }
    sharing.forEach((key, files) -> planTogether(files, key.protection(), by, plan, steps));
    return answer(plan, request.dryRun(), by, steps);
  }

  /** Small files that may share parity. */
  private record Sharing(GroupPlan.Bucket bucket, Protection protection) {}

  private void planTogether(
      List<FileFacts> files,
      Protection protection,
      String by,
      PreviewBuilder plan,
      List<Step> steps) {
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
      String subject = "%s and %d more".formatted(group.get(0).path(), group.size() - 1);
      steps.add(
          new Step(
              subject,
              group.stream().mapToLong(FileFacts::length).sum(),
              read -> {
                if (mode.isWithdrawing()) {
                  return Optional.of(WITHDRAWING);
                }
                for (FileFacts file : group) {
                  know(file, by);
                }
                return jobs.raider()
                    .raidTogether(GroupPlan.inodes(group), protection, by, read::accept);
              }));
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
    if (catalog.namespace().file(file.inodeId()).isEmpty()) {
      jobs.unclear().accept(GroupPlan.directoryOf(file.path()));
    }
  }

  private Optional<String> raid(FileFacts file, Protection protection, String by, LongConsumer read)
      throws IOException {
    if (mode.isWithdrawing()) {
      return Optional.of(WITHDRAWING);
    }
    know(file, by);
    return jobs.raider().raid(file.inodeId(), protection, by, read::accept);
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
    List<Step> steps = new ArrayList<>();
    for (List<Long> inodes : byParity.values()) {
      // HDFS copies the replicas, and later runs of jobs see to that: the step reads nothing.
      steps.add(new Step(path(inodes.get(0)), 0, read -> unraid(inodes, by)));
    }
    return answer(plan, request.dryRun(), by, steps);
  }

  private Optional<String> unraid(List<Long> inodes, String by) throws IOException {
    // Done first, so that no policy raids them again, whatever happens afterwards.
    for (long inode : inodes) {
      jobs.byHand().remember(inode);
    }
    jobs.reconciler().unraid(inodes, by);
    return inodes.stream()
        .flatMap(inode -> catalog.files().find(inode).stream())
        .filter(file -> STILL_RAIDED.contains(file.state()))
        .findFirst()
        .map(
            file ->
                "%s is still %s. %s"
                    .formatted(file.facts().path(), file.state(), file.progress().detail()));
  }

  private String path(long inode) {
    return catalog
        .files()
        .find(inode)
        .map(file -> file.facts().path())
        .orElseGet(() -> InodePath.of(inode));
  }

  private ChangePreview answer(PreviewBuilder plan, boolean dryRun, String by, List<Step> steps) {
    return new Submission(changes).answer(plan, "", dryRun, by, TaskWork.of(steps));
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
