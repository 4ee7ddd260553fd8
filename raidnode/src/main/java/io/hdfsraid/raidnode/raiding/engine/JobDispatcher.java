// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.raidnode.raiding.core.ContainerJobs;
import io.hdfsraid.raidnode.raiding.core.ContainerJobs.Running;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.yarn.job.EncodeJob;
import io.hdfsraid.yarn.job.EncodeJob.Stage;
import io.hdfsraid.yarn.job.EncodeJobs;
import io.hdfsraid.yarn.work.StripeAnswer;
import io.hdfsraid.yarn.work.StripeWork;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers drafts into jobs, and brings them the answers. One thread at a time calls {@link #turn};
 * drafts come from other threads. Each draft that was added hears of its end: by answers for all of
 * its stripes, or because it is given up.
 */
public final class JobDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(JobDispatcher.class);

  /** A job with containers may be silent for so many times the patience: stripes can take long. */
  private static final int SILENCE_OF_RUNNING = 8;

  /** Tasks have one answer for each stripe; whoever has many more is not listened to any longer. */
  private static final int MOST_ANSWERS = 4;

  private final ContainerJobs jobs;
  private final Supplier<Tuning.Containers> tuning;
  private final Clock clock;

  /** Drafts that are in no job yet; guarded by this. */
  private final Queue<Gathered> gathered = new ArrayDeque<>();

  private final List<FollowedJob> followed = new CopyOnWriteArrayList<>();
  private volatile boolean formerEnded;
  private volatile Optional<Refusal> refusal = Optional.empty();

  /**
   * @param tuning whether drafts are to be encoded in containers, and how fast; may change at any
   *     time
   */
  public JobDispatcher(ContainerJobs jobs, Supplier<Tuning.Containers> tuning, Clock clock) {
    this.jobs = jobs;
    this.tuning = tuning;
    this.clock = clock;
  }

  private record Gathered(WaitingDraft draft, Instant since) {}

  /**
   * YARN takes no jobs.
   *
   * @param why in YARN's own words
   * @param until when it is asked again
   */
  public record Refusal(String why, Instant since, Instant until) {}

  /**
   * A job, for people.
   *
   * @param status as YARN was last asked
   * @param stripes all stripes of the job
   * @param answered how many of them have an answer
   * @param read source bytes that its tasks have read, by distance
   */
  public record JobReport(
      String application,
      String trackingUrl,
      Instant submitted,
      EncodeJob.Status status,
      int files,
      int stripes,
      int answered,
      Map<Distance, Long> read) {}

  /** Used by the thread that has the turn; only the report is for others. */
  private static final class FollowedJob {
    private final Running job;
    private final List<WaitingDraft> drafts;
    private final Instant submitted;
    private final int stripes;
    private final Map<Distance, Long> read = new EnumMap<>(Distance.class);
    private int answered;
    private Instant lastProgress;
    private long share;
    private EncodeJob.Status status = new EncodeJob.Status(Stage.WAITING, 0, 0, "");
    private volatile JobReport report;

    FollowedJob(Running job, List<WaitingDraft> drafts, long share, Instant submitted) {
      this.job = job;
      this.drafts = drafts;
      this.submitted = submitted;
      this.lastProgress = submitted;
      this.share = share;
      this.stripes = drafts.stream().mapToInt(WaitingDraft::stripes).sum();
      report();
    }

    private void report() {
      report =
          new JobReport(
              job.application(),
              job.trackingUrl(),
              submitted,
              status,
              drafts.size(),
              stripes,
              Math.min(answered, stripes),
              Map.copyOf(read));
    }
  }

  /** Whether files are to be encoded in containers, if YARN takes them. */
  boolean isWanted() {
    return tuning.get().wanted();
  }

  /** Whether drafts should be added now. */
  public boolean accepts() {
    return isWanted() && refusal().isEmpty();
  }

  /** Returns why no jobs are submitted; empty if they are. */
  public Optional<Refusal> refusal() {
    Instant now = clock.instant();
    // A refusal of the future comes from a clock that was set back since.
    return refusal.filter(last -> now.isBefore(last.until()) && !now.isBefore(last.since()));
  }

  /** Whether there is anything to say of containers. */
  public boolean inUse() {
    return isWanted() || !followed.isEmpty();
  }

  /** Returns the jobs that were submitted and have not ended. Never waits for YARN. */
  public List<JobReport> jobs() {
    return followed.stream().map(each -> each.report).toList();
  }

  /** Returns the number of drafts that are in no job yet. */
  synchronized int gathered() {
    return gathered.size();
  }

  /** Adds a draft to the next job. */
  synchronized void add(WaitingDraft draft) {
    gathered.add(new Gathered(draft, clock.instant()));
  }

  /** Submits what is due, and asks YARN how the jobs are. */
  public synchronized void turn() {
    if (!formerEnded && isWanted()) {
      endFormer();
    }
    giveUpWhatWaitsInVain();
    List<WaitingDraft> due = formerEnded ? takeDue() : List.of();
    if (!due.isEmpty()) {
      submit(due);
    }
    followed.forEach(this::follow);
  }

  /** Nobody collects what these jobs answer, and the directories that they write to are removed. */
  private void endFormer() {
    try {
      EncodeJobs.Ended ended = jobs.endFormer();
      formerEnded = true;
      if (ended.jobs() > 0) {
        LOG.atInfo().addKeyValue("jobs", ended.jobs()).log("Jobs of a former daemon were ended");
      }
      ended.failed().forEach(job -> LOG.warn("A job of a former daemon goes on: {}", job));
    } catch (IOException | RuntimeException e) {
      LOG.atWarn().setCause(e).log("YARN does not say which jobs a former daemon has left");
    }
  }

  private void giveUpWhatWaitsInVain() {
    gathered.removeIf(each -> each.draft().isAbandoned());
    Optional<String> refused = refusal().map(Refusal::why);
    gathered.removeIf(
        each -> {
          boolean late = passed(each.since(), jobs.limits().patience());
          if (refused.isPresent() || late) {
            each.draft()
                .giveUp(
                    refused.orElse(
                        "It waited %s for a job; %d jobs run"
                            .formatted(jobs.limits().patience(), followed.size())));
          }
          return refused.isPresent() || late;
        });
  }

  private List<WaitingDraft> takeDue() {
    long bytes = gathered.stream().mapToLong(each -> each.draft().bytes()).sum();
    boolean full = bytes >= jobs.limits().bytesPerJob();
    boolean late = gathered.stream().anyMatch(each -> passed(each.since(), jobs.limits().gather()));
    if (!(full || late) || followed.size() >= jobs.limits().jobsAtOnce()) {
      return List.of();
    }
    List<WaitingDraft> due = new ArrayList<>();
    for (long taken = 0; !gathered.isEmpty() && taken < jobs.limits().bytesPerJob(); ) {
      WaitingDraft draft = gathered.remove().draft();
      taken += draft.bytes();
      due.add(draft);
    }
    return due;
  }

  private void submit(List<WaitingDraft> drafts) {
    try {
      List<StripeWork> work = new ArrayList<>();
      for (int number = 0; number < drafts.size(); number++) {
        work.addAll(drafts.get(number).numbered(number));
      }
      long share = share(jobs.limits().containers());
      Running job = jobs.submit(work, share);
      drafts.forEach(draft -> draft.submitted(job.application()));
      followed.add(new FollowedJob(job, drafts, share, clock.instant()));
      LOG.atInfo()
          .addKeyValue("application", job.application())
          .addKeyValue("files", drafts.size())
          .addKeyValue("stripes", work.size())
          .log("Job submitted to encode in containers");
    } catch (IOException | RuntimeException e) {
      String why = "YARN has not taken the job: " + e.getMessage();
      refuse(why, e);
      drafts.forEach(draft -> draft.giveUp(why));
    } catch (Error e) { // such as a class of Hadoop that is missing
      drafts.forEach(draft -> draft.giveUp("The job could not be submitted: " + e));
      throw e;
    }
  }

  private void refuse(String why, Throwable cause) {
    Instant now = clock.instant();
    Instant until = now.plus(jobs.limits().patience());
    refusal = Optional.of(new Refusal(why, now, until));
    LOG.atWarn()
        .setCause(cause)
        .addKeyValue("until", until)
        .log("The daemon encodes by itself: {}", why);
  }

  private void follow(FollowedJob each) {
    try {
      EncodeJob.Status before = each.status;
      IOException notHeard = null;
      try {
        each.status = each.job.status();
      } catch (IOException | RuntimeException e) {
        notHeard = new IOException("YARN does not say how it is: " + e.getMessage(), e);
      }
      int answeredBefore = each.answered;
      // After the status, so that the last ones are not missed.
      deliver(each, each.job.answers());
      if (each.answered > answeredBefore || progressed(before, each.status)) {
        each.lastProgress = clock.instant();
      }
      if (before.stage() == Stage.WAITING && each.status.stage() != Stage.WAITING) {
        refusal = Optional.empty(); // YARN has room again
      }
      if (notHeard != null) {
        throw notHeard;
      }
      limit(each);
      each.report();
      endOrGoOn(each);
    } catch (IOException | RuntimeException e) {
      if (passed(each.lastProgress, jobs.limits().patience())) {
        give(each, "Job %s is not heard of: %s".formatted(each.job.application(), e.getMessage()));
      }
    } catch (Error e) {
      give(each, "Job %s cannot be followed: %s".formatted(each.job.application(), e));
      throw e;
    }
  }

  /** Diagnostics of a job that waits may have the time in them. */
  private static boolean progressed(EncodeJob.Status before, EncodeJob.Status now) {
    return before.stage() != now.stage()
        || before.progress() != now.progress()
        || before.containers() != now.containers();
  }

  private void endOrGoOn(FollowedJob each) {
    Duration patience = jobs.limits().patience();
    boolean works = each.status.stage() == Stage.RUNNING && each.status.containers() > 0;
    String name = each.job.application();
    if (each.status.stage() == Stage.ENDED) {
      end(each, "Job %s has ended: %s".formatted(name, each.status.diagnostics()));
    } else if (each.drafts.stream().allMatch(WaitingDraft::isAbandoned)
        && each.answered < each.stripes) {
      kill(each, "Nobody waits for job %s".formatted(name));
    } else if (passed(
        each.lastProgress, works ? patience.multipliedBy(SILENCE_OF_RUNNING) : patience)) {
      give(
          each,
          "Job %s makes no progress since %s: %s"
              .formatted(name, each.lastProgress, each.status.diagnostics()));
    }
  }

  private static void deliver(FollowedJob each, List<StripeAnswer> answers) {
    for (StripeAnswer answer : answers) {
      if (answer.order() >= 0
          && answer.order() < each.drafts.size()
          && each.answered < MOST_ANSWERS * each.stripes) {
        WaitingDraft draft = each.drafts.get(answer.order());
        draft.bytesByDistance(answer).forEach((far, more) -> each.read.merge(far, more, Long::sum));
        draft.answered(answer);
        each.answered++;
      }
    }
  }

  /** Divides the rate of all containers among those that run. */
  private void limit(FollowedJob each) throws IOException {
    int containers = followed.stream().mapToInt(job -> job.status.containers()).sum();
    long share = share(containers == 0 ? jobs.limits().containers() : containers);
    if (each.status.stage() != Stage.ENDED && share != each.share) {
      each.job.limit(share);
      each.share = share;
    }
  }

  private long share(int containers) {
    long all = tuning.get().bytesPerSecond();
    return all == Tuning.UNLIMITED ? Tuning.UNLIMITED : Math.max(1, all / containers);
  }

  /** A time of the future comes from a clock that was set back since: then nothing waits for it. */
  private boolean passed(Instant since, Duration duration) {
    Instant now = clock.instant();
    return !now.isBefore(since.plus(duration)) || now.isBefore(since);
  }

  /** Ends a job that does not do what it should, and submits none for a while. */
  private void give(FollowedJob each, String why) {
    refuse(why, null);
    kill(each, why);
  }

  private void kill(FollowedJob each, String why) {
    try {
      each.job.kill();
    } catch (IOException | RuntimeException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("application", each.job.application())
          .log("Job could not be ended; its containers find their directories taken back");
    }
    end(each, why);
  }

  private void end(FollowedJob each, String why) {
    each.drafts.forEach(draft -> draft.giveUp(why));
    followed.remove(each);
    try {
      each.job.close();
    } catch (IOException | RuntimeException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("application", each.job.application())
          .log("What a job has left is removed by the next clean-up");
    }
  }

  /** Ends all jobs. The files that wait fail, and are begun again after the next start. */
  public synchronized void stop() {
    gathered.forEach(each -> each.draft().stop());
    gathered.clear();
    followed.forEach(
        each -> {
          each.drafts.forEach(WaitingDraft::stop);
          kill(each, "The daemon stops");
        });
  }
}
