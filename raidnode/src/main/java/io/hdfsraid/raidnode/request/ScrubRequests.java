package io.hdfsraid.raidnode.request;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.PlanView.Action;
import io.hdfsraid.raidapi.ScrubRequest;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.rounds.Rounds;
import io.hdfsraid.raidnode.rounds.ScrubRound;
import io.hdfsraid.raidnode.rounds.Workers.Task;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Plans the scrubs an operator asks for and, when it is no dry run, puts them into a queue of their
 * own: they read for a long time, and change nothing.
 */
public final class ScrubRequests {
  private final RaidedFiles files;
  private final Rounds rounds;
  private final RequestQueue queue;

  /**
   * Scrubs by hand.
   *
   * @param queue carries accepted requests out, and takes no others
   */
  public ScrubRequests(RaidedFiles files, Rounds rounds, RequestQueue queue) {
    this.files = files;
    this.rounds = rounds;
    this.queue = queue;
  }

  /** Scrubs, unless it is a dry run. */
  public PlanView scrub(ScrubRequest request) throws IOException {
    ScrubDraft plan = new ScrubDraft(request);
    Set<Long> groups = new HashSet<>();
    for (FileRecord record : files.few(request.path(), "all stripes are scrubbed in turn anyway")) {
      long inode = record.inode();
      String path = record.facts().path();
      long id = rounds.attend().parityOf(inode);
      if (id == inode || path.equals(request.path())) {
        plan.add(inode, record);
      } else if (groups.add(id)) {
        // Most members of a group are below the directory, and they share its stripes.
        plan.add(id, record);
      }
    }
    return plan.answer();
  }

  private final class ScrubDraft {
    private final ScrubRequest request;
    private final ScrubDepth depth;
    private final Draft draft;
    private final List<Task> tasks = new ArrayList<>();
    private long bytes;
    private long questions;

    ScrubDraft(ScrubRequest request) {
      this.request = request;
      this.depth = request.deep() ? ScrubDepth.DEEP : ScrubDepth.PRESENCE;
      this.draft = new Draft(Action.SCRUB, request.path());
    }

    /** The stripes of a file, or of the group that it is in; of no other when it cannot be read. */
    void add(long id, FileRecord file) throws IOException {
      String path = file.facts().path();
      List<LocatedStripe> stripes;
      try {
        stripes = rounds.scrub(depth).stripesOf(id);
      } catch (InodeGoneException | ManifestFormatException e) {
        draft.refused(file.inode(), path, String.valueOf(e.getMessage()), "UNKNOWN");
        return;
      }
      long toRead = stripes.stream().mapToLong(ScrubRound::bytes).sum();
      long toAsk = stripes.stream().mapToLong(ScrubRound::replicas).sum();
      bytes += toRead;
      questions += toAsk;
      draft.wanted(
          file.inode(),
          path,
          request.deep()
              ? "Read %d replicas of %d stripes".formatted(toAsk, stripes.size())
              : "Ask for the checksums of %d replicas of %d stripes"
                  .formatted(toAsk, stripes.size()),
          request.deep() ? toRead : 0,
          0);
      tasks.add(() -> rounds.scrub(depth).scrub(id, OperatorRequests.OPERATOR));
    }

    PlanView answer() {
      PlanView answer =
          new Submission(work -> queue.execute(request.path(), work))
              .answer(draft, request.dryRun(), tasks);
      return draft.anyWanted() ? draft.as(answer.outcome(), duration()) : answer;
    }

    private String duration() {
      Tuning now = rounds.tuning();
      boolean deep = request.deep();
      long rate = deep ? now.scrub().bytesPerSecond() : now.checksumsPerSecond();
      String setting = deep ? "scrub.bytesPerSecond" : "scrub.checksumsPerSecond";
      String found =
          "What it finds goes to 'raidshell repairs', what came of it to 'raidshell history'.";
      return rate == Tuning.UNLIMITED
          ? found
          : "At the present %s it takes %s or more. %s"
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
