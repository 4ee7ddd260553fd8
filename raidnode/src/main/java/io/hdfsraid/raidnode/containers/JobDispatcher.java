// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.raidnode.containers.ContainerJobs.Running;
import io.hdfsraid.raidnode.schedule.Failures;
import io.hdfsraid.yarn.job.StripeJob;
import io.hdfsraid.yarn.job.StripeJob.Stage;
import io.hdfsraid.yarn.job.StripeJobs;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.Work;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers work into jobs, and brings it the answers. One thread at a time calls {@link #turn}; work
 * comes from other threads.
 */
public final class JobDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(JobDispatcher.class);

  /** A job with containers may be silent for so many times the patience: stripes can take long. */
  private static final int SILENCE_OF_RUNNING = 8;

  /**
   * Tasks have one answer for each stripe that they encode, and one for each unit that they repair
   * besides; whoever has many more is not listened to any longer.
   */
  private static final int MOST_ANSWERS = 20;

  private final ContainerJobs jobs;
  private final BooleanSupplier possible;
  private final BooleanSupplier wanted;
  private final ContainerBounds bounds;
  private final ContainerJobListener listener;
  private final Clock clock;

  /** Work that is in no job yet. Other threads only add to it, without waiting for a turn. */
  private final Queue<Gathered> gathered = new ConcurrentLinkedQueue<>();

  private final List<FollowedJob> followed = new CopyOnWriteArrayList<>();
  private volatile boolean formerEnded;
  private volatile Optional<Refusal> refusal = Optional.empty();

  /**
   * @param possible whether work may ever be done in containers, as it is configured; otherwise
   *     YARN is not asked for anything
   * @param wanted whether work is to be done in containers now; both may change at any time
   * @param bounds shared with all other containers
   * @param listener told of the jobs
   */
  public JobDispatcher(
      ContainerJobs jobs,
      BooleanSupplier possible,
      BooleanSupplier wanted,
      ContainerBounds bounds,
      ContainerJobListener listener,
      Clock clock) {
    this.jobs = jobs;
    this.possible = possible;
    this.wanted = wanted;
    this.bounds = bounds;
    this.listener = listener;
    this.clock = clock;
  }

  private record Gathered(WaitingWork work, Instant since) {}

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
   * @param works files, or stripes to repair, that wait for it
   * @param status as YARN was last asked
   * @param stripes all stripes of the job
   * @param answered how many of them have an answer
   * @param read source bytes that its tasks have read, by distance
   */
  public record JobReport(
      ContainerJobs.Kind kind,
      String application,
      String trackingUrl,
      Instant submitted,
      StripeJob.Status status,
      int works,
      int stripes,
      int answered,
      Map<Distance, Long> read) {}

  /**
   * Used by the thread that has the turn. The report is for others, too, and what tasks have said
   * may be brought by another thread.
   */
  private static final class FollowedJob {
    private final ContainerJobs.Kind kind;
    private final Running job;
    private final List<WaitingWork> works;
    private final Instant submitted;
    private final int stripes;

    /** Containers that it may have. */
    private final int most;

    /** Guarded by this, as the next two. */
    private final Map<Distance, Long> read = new EnumMap<>(Distance.class);

    private int answered;
    private int heard;

    private int heardBefore;
    private Instant lastProgress;
    private long share;
    private StripeJob.Status status = new StripeJob.Status(Stage.WAITING, 0, 0, "");
    private volatile JobReport report;

    FollowedJob(
        ContainerJobs.Kind kind,
        Running job,
        List<WaitingWork> works,
        int most,
        long share,
        Instant submitted) {
      this.kind = kind;
      this.job = job;
      this.works = works;
      this.submitted = submitted;
      this.lastProgress = submitted;
      this.most = most;
      this.share = share;
      this.stripes = works.stream().mapToInt(WaitingWork::stripes).sum();
      report();
    }

    /** Brings the answers of its tasks to whoever waits for them. */
    synchronized void deliver(ContainerJobListener listener) throws IOException {
      for (Answer answer : job.answers()) {
        if (answer.order() >= 0
            && answer.order() < works.size()
            && heard < MOST_ANSWERS * stripes) {
          WaitingWork work = works.get(answer.order());
          work.bytesByDistance(answer)
              .forEach(
                  (far, more) -> {
                    read.merge(far, more, Long::sum);
                    listener.readInContainer(kind, far, more);
                  });
          answered += work.answered(answer) ? 1 : 0;
          heard++;
        }
      }
    }

    /** Whether its tasks have said anything since this was asked last. */
    synchronized boolean hasSpoken() {
      boolean spoken = heard > heardBefore;
      heardBefore = heard;
      return spoken;
    }

    synchronized boolean hasNoAnswer() {
      return heard == 0;
    }

    synchronized boolean hasAllAnswers() {
      return answered >= stripes;
    }

    private synchronized void report() {
      report =
          new JobReport(
              kind,
              job.application(),
              job.trackingUrl(),
              submitted,
              status,
              works.size(),
              stripes,
              Math.min(answered, stripes),
              Map.copyOf(read));
    }
  }

  /** Whether work is to be done in containers, if YARN takes it. */
  public boolean isWanted() {
    return wanted.getAsBoolean();
  }

  /** Whether work should be added now. */
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

  /** Returns how much work is in no job yet. */
  public int gathered() {
    return gathered.size();
  }

  /** Adds work to the next job. */
  public void add(WaitingWork work) {
    gathered.add(new Gathered(work, clock.instant()));
  }

  /** Submits what is due, and asks YARN how the jobs are. */
  public synchronized void turn() {
    if (!formerEnded && possible.getAsBoolean()) {
      endFormer();
    }
    giveUpWhatWaitsInVain();
    List<WaitingWork> due = formerEnded ? takeDue() : List.of();
    if (!due.isEmpty()) {
      submit(due);
    }
    followed.forEach(this::follow);
    bounds.run(jobs.kind(), containers());
    listener.looked(jobs.kind(), jobs(), refusal().isPresent());
  }

  /**
   * Delivers what tasks have said meanwhile, without asking YARN, which may take long. May be
   * called beside a turn.
   */
  public void hear() {
    for (FollowedJob each : followed) {
      try {
        each.deliver(listener);
      } catch (IOException | RuntimeException e) {
        LOG.atDebug().setCause(e).log("What tasks say is read again by the next turn");
      }
    }
  }

  private int containers() {
    return followed.stream().mapToInt(job -> job.status.containers()).sum();
  }

  /** Nobody collects what these jobs answer, and the directories that they write to are removed. */
  private void endFormer() {
    try {
      StripeJobs.Ended ended = jobs.endFormer();
      formerEnded = true;
      refusal = Optional.empty();
      if (ended.jobs() > 0) {
        LOG.atInfo().addKeyValue("jobs", ended.jobs()).log("Jobs of a former daemon were ended");
      }
      ended.failed().forEach(job -> LOG.warn("A job of a former daemon goes on: {}", job));
    } catch (IOException | RuntimeException e) {
      refuse("YARN does not say which jobs a former daemon has left: " + Failures.words(e), e);
    }
  }

  private void giveUpWhatWaitsInVain() {
    gathered.removeIf(each -> each.work().isAbandoned());
    Optional<String> refused =
        isWanted()
            ? refusal().map(Refusal::why)
            : Optional.of("Containers are not wanted any more");
    gathered.removeIf(
        each -> {
          boolean late = passed(each.since(), jobs.limits().patience());
          if (refused.isPresent() || late) {
            each.work()
                .giveUp(
                    refused.orElse(
                        "It waited %s for a job; %d jobs run"
                            .formatted(jobs.limits().patience(), followed.size())));
          }
          return refused.isPresent() || late;
        });
  }

  private List<WaitingWork> takeDue() {
    long bytes = gathered.stream().mapToLong(each -> each.work().bytes()).sum();
    boolean full = bytes >= jobs.limits().bytesPerJob();
    boolean late = gathered.stream().anyMatch(each -> passed(each.since(), jobs.limits().gather()));
    if (!(full || late) || followed.size() >= jobs.limits().jobsAtOnce()) {
      return List.of();
    }
    List<WaitingWork> due = new ArrayList<>();
    for (long taken = 0; !gathered.isEmpty() && taken < jobs.limits().bytesPerJob(); ) {
      WaitingWork work = gathered.remove().work();
      taken += work.bytes();
      due.add(work);
    }
    return due;
  }

  private void submit(List<WaitingWork> works) {
    try {
      List<Work> stripes = new ArrayList<>();
      for (int number = 0; number < works.size(); number++) {
        stripes.addAll(works.get(number).numbered(number));
      }
      int containers = containersOf(stripes);
      long share = bounds.share(containers);
      Running job = jobs.submit(stripes, containers, share);
      works.forEach(each -> each.submitted(job));
      followed.add(new FollowedJob(jobs.kind(), job, works, containers, share, clock.instant()));
      LOG.atInfo()
          .addKeyValue("application", job.application())
          .addKeyValue("stripes", stripes.size())
          .addKeyValue("containers", containers)
          .log("Job submitted to {} in containers", jobs.kind());
    } catch (IOException | RuntimeException e) {
      String why = "YARN has not taken the job: " + Failures.words(e);
      refuse(why, e);
      works.forEach(each -> each.giveUp(why));
    } catch (Error e) { // such as a class of Hadoop that is missing
      works.forEach(each -> each.giveUp("The job could not be submitted: " + e));
      throw e;
    }
  }

  private int containersOf(List<Work> stripes) throws IOException {
    return bounds.containers(
        Math.min(jobs.limits().containers(), stripes.size()),
        jobs.dataNodes(),
        stripes.stream().mapToInt(Work::streams).max().orElse(1),
        followed.stream().mapToInt(job -> job.most).sum());
  }

  private void refuse(String why, Throwable cause) {
    Instant now = clock.instant();
    Instant until = now.plus(jobs.limits().patience());
    refusal = Optional.of(new Refusal(why, now, until));
    LOG.atWarn()
        .setCause(cause)
        .addKeyValue("until", until)
        .log("The daemon does by itself what containers were to {}: {}", jobs.kind(), why);
  }

  private void follow(FollowedJob each) {
    try {
      StripeJob.Status before = each.status;
      IOException notHeard = null;
      try {
        each.status = each.job.status();
      } catch (IOException | RuntimeException e) {
        notHeard = new IOException("YARN does not say how it is: " + Failures.words(e), e);
      }
      // After the status, so that the last ones are not missed.
      each.deliver(listener);
      if (each.hasSpoken() || progressed(before, each.status)) {
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
  private static boolean progressed(StripeJob.Status before, StripeJob.Status now) {
    return before.stage() != now.stage()
        || before.progress() != now.progress()
        || before.containers() != now.containers();
  }

  private void endOrGoOn(FollowedJob each) {
    Duration patience = jobs.limits().patience();
    boolean works = each.status.stage() == Stage.RUNNING && each.status.containers() > 0;
    String name = each.job.application();
    if (each.status.stage() == Stage.ENDED) {
      if (each.hasNoAnswer()) {
        refuse(
            "No task of job %s has answered: %s".formatted(name, each.status.diagnostics()), null);
      }
      end(each, "Job %s has ended: %s".formatted(name, each.status.diagnostics()));
    } else if (each.works.stream().allMatch(WaitingWork::isAbandoned) && !each.hasAllAnswers()) {
      kill(each, "Nobody waits for job %s".formatted(name));
    } else if (passed(
        each.lastProgress, works ? patience.multipliedBy(SILENCE_OF_RUNNING) : patience)) {
      give(
          each,
          "Job %s makes no progress since %s: %s"
              .formatted(name, each.lastProgress, each.status.diagnostics()));
    }
  }

  /** Divides the rate of all containers among those that run. */
  private void limit(FollowedJob each) throws IOException {
    bounds.run(jobs.kind(), containers());
    long share = bounds.share(each.most);
    if (each.status.stage() != Stage.ENDED && share != each.share) {
      each.job.limit(share);
      each.share = share;
    }
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
          .log("Job could not be ended; its containers can change nothing that counts");
    }
    end(each, why);
  }

  private void end(FollowedJob each, String why) {
    each.works.forEach(work -> work.giveUp(why));
    followed.remove(each);
    listener.jobEnded(jobs.kind(), each.hasAllAnswers());
    try {
      each.job.close();
    } catch (IOException | RuntimeException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("application", each.job.application())
          .log("What a job has left is removed by the next clean-up");
    }
  }

  /** Ends all jobs. What waits fails, and is begun again after the next start. */
  public synchronized void stop() {
    gathered.forEach(each -> each.work().stop());
    gathered.clear();
    followed.forEach(
        each -> {
          each.works.forEach(WaitingWork::stop);
          kill(each, "The daemon stops");
        });
  }
}
