package io.hdfsraid.raidnode.request;

import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.PlanView.Action;
import io.hdfsraid.raidapi.RaidRequest;
import io.hdfsraid.raidapi.ScrubRequest;
import io.hdfsraid.raidapi.UnraidRequest;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.hdfs.NamespaceListing;
import io.hdfsraid.raidnode.raid.Forecast;
import io.hdfsraid.raidnode.raid.GroupPlan;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.RaidRequests;
import io.hdfsraid.raidnode.rounds.Rounds;
import io.hdfsraid.raidnode.rounds.Workers.Task;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Plans what an operator asks for and, when it is no dry run, puts it into the queue. */
public final class OperatorRequests implements RaidRequests {
  static final String OPERATOR = "operator";

  /** A request for more is refused: a plan of so many files is a policy. */
  private static final int MOST_FILES = 10_000;

  private final NamespaceListing listing;
  private final Catalog catalog;
  private final Rounds rounds;
  private final RaidedFiles raided;
  private final ScrubRequests scrubs;
  private final Executor changes;

  /**
   * Requests that are planned now.
   *
   * @param changes carries accepted requests out, bounded in what it takes
   */
  public OperatorRequests(
      NamespaceListing listing,
      Catalog catalog,
      Rounds rounds,
      RaidedFiles raided,
      ScrubRequests scrubs,
      Executor changes) {
    this.listing = listing;
    this.catalog = catalog;
    this.rounds = rounds;
    this.raided = raided;
    this.scrubs = scrubs;
    this.changes = changes;
  }

  @Override
  public PlanView raid(RaidRequest request) throws IOException {
    request.codec().ifPresent(OperatorRequests::requireCodec);
    new Permission(rounds.intent()).require();
    Draft plan = new Draft(Action.RAID, request.path());
    List<Task> tasks = new ArrayList<>();
    Map<Sharing, List<FileFacts>> sharing = new LinkedHashMap<>();
    for (FileFacts file : files(request.path())) {
      Optional<Protection> protection = protection(request, file.path());
      if (protection.isEmpty()) {
        plan.refused(
            file.inodeId(),
            file.path(),
            "No policy says how; name a codec",
            Reason.NO_POLICY.name());
        continue;
      }
      Verdict verdict =
          rounds.policies().judge().verdictOnRequest(listing.withSnapshots(file), protection.get());
      if (verdict instanceof Verdict.RaidTogether) {
        sharing
            .computeIfAbsent(
                new Sharing(GroupPlan.Bucket.of(file), protection.get()), key -> new ArrayList<>())
            .add(file);
      } else if (consider(file, verdict, protection.get(), plan)) {
        tasks.add(() -> raid(file, protection.get()));
      }
    }
    sharing.forEach((key, files) -> planTogether(files, key.protection(), plan, tasks));
    return answer(plan, request.dryRun(), tasks, changes);
  }

  /** Small files that may share parity. */
  private record Sharing(GroupPlan.Bucket bucket, Protection protection) {}

  private void planTogether(
      List<FileFacts> files, Protection protection, Draft plan, List<Task> tasks) {
    GroupPlan groups =
        GroupPlan.of(files, protection, rounds.policies().policies().minSavingPercent());
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
            if (rounds.intent().isWithdrawing()) {
              return; // it has begun since this was accepted
            }
            group.forEach(this::know);
            rounds.raid().raidTogether(GroupPlan.inodes(group), protection, OPERATOR);
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
    Optional<Protection> policy =
        rounds.policies().policies().raidingAt(path).map(Policy::protection);
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

  private boolean consider(FileFacts file, Verdict verdict, Protection protection, Draft plan)
      throws IOException {
    if (verdict.whyNot().isPresent()) {
      plan.refused(file.inodeId(), file.path(), verdict.sentence(), verdict.whyNot().get().name());
      return false;
    }
    Forecast forecast = rounds.pipelines().raider().foresee(file.inodeId(), protection);
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

  /** A file that no scan has shown yet. */
  private void know(FileFacts file) {
    rounds.raid().know(file, OPERATOR);
    catalog.files().update(file.inodeId(), FileRecord::takenUp);
  }

  private void raid(FileFacts file, Protection protection) throws IOException {
    if (rounds.intent().isWithdrawing()) {
      return; // it has begun since this was accepted
    }
    know(file);
    rounds.raid().raid(file.inodeId(), protection, OPERATOR);
  }

  @Override
  public PlanView unraid(UnraidRequest request) throws IOException {
    Draft plan = new Draft(Action.UNRAID, request.path());
    // Members of one group together: it is encoded again without them, or goes with the last.
    Map<Long, List<Long>> byParity = new LinkedHashMap<>();
    for (FileRecord record : raided.all(request.path())) {
      FileFacts file = record.facts();
      Parity parity = record.parity().orElseThrow();
      int more = Math.max(0, parity.originalReplication() - file.replication());
      long copied = file.length() * more;
      plan.wanted(
          file.inodeId(),
          file.path(),
          "Raise the replication from %d to %d, then drop the parity"
              .formatted(file.replication(), parity.originalReplication()),
          copied,
          copied);
      plan.frees(parity.bytes() * parity.parityReplication() - copied);
      byParity
          .computeIfAbsent(rounds.attend().parityOf(file.inodeId()), id -> new ArrayList<>())
          .add(file.inodeId());
    }
    List<Task> tasks = new ArrayList<>();
    for (List<Long> inodes : byParity.values()) {
      tasks.add(
          () -> {
            // First, so that no policy takes them again, whatever happens on the way.
            inodes.forEach(inode -> catalog.files().update(inode, FileRecord::letGo));
            rounds.attend().unraid(inodes, OPERATOR);
          });
    }
    return answer(plan, request.dryRun(), tasks, changes);
  }

  @Override
  public PlanView scrub(ScrubRequest request) throws IOException {
    return scrubs.scrub(request);
  }

  private static PlanView answer(Draft plan, boolean dryRun, List<Task> tasks, Executor queue) {
    return new Submission(queue).answer(plan, dryRun, tasks);
  }

  /** The files at or below a path, as HDFS lists them now, with the parity the catalog knows of. */
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
