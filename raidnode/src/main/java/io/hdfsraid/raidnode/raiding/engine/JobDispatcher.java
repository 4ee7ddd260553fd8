// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.raidnode.raiding.core.ContainerJobs;
import io.hdfsraid.raidnode.raiding.core.ContainerJobs.Running;
import io.hdfsraid.yarn.job.EncodeJob;
import io.hdfsraid.yarn.job.EncodeJob.Stage;
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
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers drafts into jobs, and brings them the answers. A schedule calls {@link #turn}; drafts
 * come from other threads.
 */
public final class JobDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(JobDispatcher.class);

  private final ContainerJobs jobs;
  private final BooleanSupplier wanted;
  private final Clock clock;

  /** Drafts that are in no job yet, and since when the first one waits; guarded by this. */
  private final Queue<WaitingDraft> gathered = new ArrayDeque<>();

  private Instant gatheredSince = Instant.MAX;

  private final List<FollowedJob> followed = new CopyOnWriteArrayList<>();
  private boolean formerEnded;
  private volatile Optional<Refusal> refusal = Optional.empty();

  /**
   * @param wanted whether drafts are to be encoded in containers; may change at any time
   */
  public JobDispatcher(ContainerJobs jobs, BooleanSupplier wanted, Clock clock) {
    this.jobs = jobs;
    this.wanted = wanted;
    this.clock = clock;
  }

  /**
   * YARN takes no jobs.
   *
   * @param why in YARN's own words
   * @param until when it is asked again
   */
  public record Refusal(String why, Instant until) {}

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

  private static final class FollowedJob {
    private final Running job;
    private final List<WaitingDraft> drafts;
    private final Instant submitted;
    private final int stripes;
    private final Map<Distance, Long> read = new EnumMap<>(Distance.class);
    private int answered;
    private Instant lastHeard;
    private EncodeJob.Status status = new EncodeJob.Status(Stage.WAITING, 0, "");

    FollowedJob(Running job, List<WaitingDraft> drafts, Instant submitted) {
      this.job = job;
      this.drafts = drafts;
      this.submitted = submitted;
      this.lastHeard = submitted;
      this.stripes = drafts.stream().mapToInt(WaitingDraft::stripes).sum();
    }
  }

  /** Whether drafts should be added now. */
  public boolean accepts() {
    Optional<Refusal> now = refusal;
    return wanted.getAsBoolean() && isAskedAgain(now);
  }

  private boolean isAskedAgain(Optional<Refusal> now) {
    return now.isEmpty() || !clock.instant().isBefore(now.get().until());
  }

  /** Returns why no jobs are submitted; empty if they are. */
  public Optional<Refusal> refusal() {
    Optional<Refusal> now = refusal;
    return isAskedAgain(now) ? Optional.empty() : now;
  }

  /** Whether there is anything to say of containers. */
  public boolean inUse() {
    return wanted.getAsBoolean() || !followed.isEmpty();
  }

  /** Returns the jobs that were submitted and have not ended. */
  public List<JobReport> jobs() {
    List<JobReport> reports = new ArrayList<>();
    for (FollowedJob each : followed) {
      synchronized (each) {
        reports.add(
            new JobReport(
                each.job.application(),
                each.job.trackingUrl(),
                each.submitted,
                each.status,
                each.drafts.size(),
                each.stripes,
                each.answered,
                Map.copyOf(each.read)));
      }
    }
    return reports;
  }

  /** Adds a draft to the next job. */
  synchronized void add(WaitingDraft draft) {
    if (gathered.isEmpty()) {
      gatheredSince = clock.instant();
    }
    gathered.add(draft);
  }

  /** Submits what is due, and asks YARN how the jobs are. */
  public void turn() {
    if (!formerEnded && wanted.getAsBoolean()) {
      endFormer();
    }
    List<WaitingDraft> due = takeDue();
    if (!due.isEmpty()) {
      submit(due);
    }
    for (FollowedJob each : followed) {
      synchronized (each) {
        follow(each);
      }
    }
  }

  /** Nobody collects what these jobs answer, and the directories that they write to are removed. */
  private void endFormer() {
    try {
      int ended = jobs.endFormer();
      formerEnded = true;
      if (ended > 0) {
        LOG.atInfo().addKeyValue("jobs", ended).log("Jobs of a former daemon were ended");
      }
    } catch (IOException | RuntimeException e) {
      LOG.atWarn().setCause(e).log("YARN does not say which jobs a former daemon has left");
    }
  }

  private synchronized List<WaitingDraft> takeDue() {
    gathered.removeIf(WaitingDraft::isAbandoned);
    long bytes = gathered.stream().mapToLong(WaitingDraft::bytes).sum();
    boolean full = bytes >= jobs.limits().bytesPerJob();
    boolean late = !clock.instant().isBefore(since(jobs.limits().gather()));
    if (gathered.isEmpty() || !(full || late) || followed.size() >= jobs.limits().jobsAtOnce()) {
      return List.of();
    }
    List<WaitingDraft> due = new ArrayList<>();
    for (long taken = 0; !gathered.isEmpty() && taken < jobs.limits().bytesPerJob(); ) {
      WaitingDraft draft = gathered.remove();
      taken += draft.bytes();
      due.add(draft);
    }
    gatheredSince = clock.instant();
    return due;
  }

  private Instant since(Duration gather) {
    return gatheredSince.equals(Instant.MAX) ? Instant.MAX : gatheredSince.plus(gather);
  }

  private void submit(List<WaitingDraft> drafts) {
    List<StripeWork> work = new ArrayList<>();
    for (int number = 0; number < drafts.size(); number++) {
      work.addAll(drafts.get(number).numbered(number));
    }
    try {
      Running job = jobs.submit(work);
      refusal = Optional.empty();
      followed.add(new FollowedJob(job, drafts, clock.instant()));
      LOG.atInfo()
          .addKeyValue("application", job.application())
          .addKeyValue("files", drafts.size())
          .addKeyValue("stripes", work.size())
          .log("Job submitted to encode in containers");
    } catch (IOException | RuntimeException e) {
      refuse("YARN has not taken the job: " + e.getMessage(), e);
      drafts.forEach(draft -> draft.giveUp(refusal.map(Refusal::why).orElseThrow()));
    }
  }

  private void refuse(String why, Exception cause) {
    Instant until = clock.instant().plus(jobs.limits().patience());
    refusal = Optional.of(new Refusal(why, until));
    LOG.atWarn()
        .setCause(cause)
        .addKeyValue("until", until)
        .log("The daemon encodes by itself: {}", why);
  }

  private void follow(FollowedJob each) {
    try {
      EncodeJob.Status status = each.job.status();
      deliver(each, each.job.answers()); // after the status, so that the last ones are not missed
      each.status = status;
      each.lastHeard = clock.instant();
      if (status.stage() == Stage.ENDED) {
        end(each, "Job %s has ended: %s".formatted(each.job.application(), status.diagnostics()));
      } else if (each.drafts.stream().allMatch(WaitingDraft::isAbandoned)
          && each.answered < each.stripes) {
        kill(each, "Nobody waits for job %s".formatted(each.job.application()));
      } else if (status.stage() == Stage.WAITING && isOverdue(each.submitted)) {
        refuse(
            "Job %s has not begun within %s: %s"
                .formatted(each.job.application(), jobs.limits().patience(), status.diagnostics()),
            null);
        kill(each, refusal.map(Refusal::why).orElseThrow());
      }
    } catch (IOException | RuntimeException e) {
      if (isOverdue(each.lastHeard)) {
        refuse("Job %s is not heard of: %s".formatted(each.job.application(), e.getMessage()), e);
        kill(each, refusal.map(Refusal::why).orElseThrow());
      }
    }
  }

  private boolean isOverdue(Instant since) {
    return !clock.instant().isBefore(since.plus(jobs.limits().patience()));
  }

  private static void deliver(FollowedJob each, List<StripeAnswer> answers) {
    for (StripeAnswer answer : answers) {
      if (answer.order() >= 0 && answer.order() < each.drafts.size()) {
        WaitingDraft draft = each.drafts.get(answer.order());
        draft.bytesByDistance(answer).forEach((far, more) -> each.read.merge(far, more, Long::sum));
        draft.answered(answer);
        each.answered++;
      }
    }
  }

  private void kill(FollowedJob each, String why) {
    try {
      each.job.kill();
    } catch (IOException | RuntimeException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("application", each.job.application())
          .log("Job could not be ended; its containers cannot write any more");
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

  /** Ends all jobs. */
  public void stop() {
    for (FollowedJob each : followed) {
      synchronized (each) {
        kill(each, "The daemon stops");
      }
    }
  }
}
