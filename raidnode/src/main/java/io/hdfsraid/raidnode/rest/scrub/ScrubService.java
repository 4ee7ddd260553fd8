// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.scrub;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.scrub.ScrubRequest;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.rest.PreviewBuilder;
import io.hdfsraid.raidnode.rest.RaidedFiles;
import io.hdfsraid.raidnode.rest.tasks.Submission;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.rest.tasks.TaskWork;
import io.hdfsraid.raidnode.rest.tasks.TaskWork.Step;
import io.hdfsraid.raidnode.scrub.RequestedScrub;
import io.hdfsraid.raidnode.scrub.ScrubCost;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Previews the scrubs that an operator requests and, unless the request is a dry run, queues them.
 * Scrubs have a queue of their own, because they read for a long time and change nothing.
 */
public class ScrubService {
  private final RaidedFiles files;
  private final ReconcileJob reconciler;
  private final Function<ScrubDepth, RequestedScrub> scrubs;
  private final Supplier<Tuning> tuning;
  private final TaskQueue queue;

  /**
   * Creates a service.
   *
   * @param queue carries out accepted scrubs, and nothing else
   */
  public ScrubService(
      RaidedFiles files,
      ReconcileJob reconciler,
      Function<ScrubDepth, RequestedScrub> scrubs,
      Supplier<Tuning> tuning,
      TaskQueue queue) {
    this.files = files;
    this.reconciler = reconciler;
    this.scrubs = scrubs;
    this.tuning = tuning;
    this.queue = queue;
  }

  /** Scrubs, unless the request is a dry run. */
  public ChangePreview scrub(ScrubRequest request, String by) throws IOException {
    ScrubDraft plan = new ScrubDraft(request, by);
    Set<Long> groups = new HashSet<>();
    for (FileRecord record : files.few(request.path(), "all stripes are scrubbed in turn anyway")) {
      long inode = record.inode();
      String path = record.facts().path();
      long id = reconciler.parityOf(inode);
      if (id == inode || path.equals(request.path())) {
        plan.add(inode, record);
      } else if (groups.add(id)) {
        // Most members of a group are in the same directory, and they share its stripes.
        plan.add(id, record);
      }
    }
    return plan.answer();
  }

  private final class ScrubDraft {
    private final ScrubRequest request;
    private final ScrubDepth depth;
    private final String by;
    private final PreviewBuilder draft;
    private final List<Step> steps = new ArrayList<>();
    private long bytes;
    private long questions;

    ScrubDraft(ScrubRequest request, String by) {
      this.by = by;
      this.request = request;
      this.depth = request.deep() ? ScrubDepth.DEEP : ScrubDepth.PRESENCE;
      this.draft = new PreviewBuilder(Action.SCRUB, request.path());
    }

    /**
     * Adds the stripes of a file, or of the group that the file is in. A file that cannot be read
     * is refused; the others go on.
     */
    void add(long id, FileRecord file) throws IOException {
      String path = file.facts().path();
      List<LocatedStripe> stripes;
      try {
        stripes = scrubs.apply(depth).stripesOf(id);
      } catch (InodeGoneException | ManifestFormatException e) {
        draft.refused(file.inode(), path, String.valueOf(e.getMessage()), "UNKNOWN");
        return;
      }
      ScrubCost cost = ScrubCost.of(stripes);
      bytes += cost.bytes();
      questions += cost.replicas();
      draft.wanted(
          file.inode(),
          path,
          request.deep()
              ? "Read %d replicas of %d stripes".formatted(cost.replicas(), stripes.size())
              : "Ask for the checksums of %d replicas of %d stripes"
                  .formatted(cost.replicas(), stripes.size()),
          request.deep() ? cost.bytes() : 0,
          0);
      steps.add(
          new Step(
              path,
              request.deep() ? cost.bytes() : 0,
              read -> {
                scrubs
                    .apply(depth)
                    .scrub(id, by, stripe -> read.accept(ScrubCost.of(List.of(stripe)).bytes()));
                return Optional.empty();
              }));
    }

    ChangePreview answer() {
      return new Submission(queue)
          .answer(
              draft, draft.anyWanted() ? duration() : "", request.dryRun(), by, TaskWork.of(steps));
    }

    private String duration() {
      Tuning now = tuning.get();
      boolean deep = request.deep();
      long rate = deep ? now.scrub().bytesPerSecond() : now.checksumsPerSecond();
      String setting = deep ? "scrub.bytesPerSecond" : "scrub.checksumsPerSecond";
      String found =
          "'raidshell repairs' lists what it finds, and 'raidshell history' shows the result.";
      return rate == Tuning.UNLIMITED
          ? found
          : "With the current %s it takes %s or more. %s"
              .formatted(
                  setting, words(Duration.ofSeconds((deep ? bytes : questions) / rate)), found);
    }
  }

  private static String words(Duration duration) {
    if (duration.toHours() >= 48) {
      return duration.toDays() + " days";
    }
    return duration.toMinutes() >= 120
        ? duration.toHours() + " hours"
        : duration.toSeconds() >= 120
            ? duration.toMinutes() + " minutes"
            : duration.toSeconds() + " seconds";
  }
}
