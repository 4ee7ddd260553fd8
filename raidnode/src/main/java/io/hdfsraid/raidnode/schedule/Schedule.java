// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.dropwizard.lifecycle.Managed;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.quartz.CronScheduleBuilder;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.ObjectAlreadyExistsException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.StdSchedulerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs at their times, one run of a job at a time. A run that is due while the previous one is
 * running starts right after it if it is late by a few seconds only. A run that is later has been
 * missed: it is made up for or skipped, as the job says. The schedule is not stored.
 *
 * <p>Quartz goes by the clock of the machine. When that is set back, no job would run until it has
 * caught up; so the schedule notices this within a second or two and starts all over.
 */
public final class Schedule implements Managed {
  private static final Logger LOG = LoggerFactory.getLogger(Schedule.class);

  /** Most jobs that may be added later, each with a thread of its own. */
  private static final int MORE_THREADS = 16;

  private final Map<String, Job> jobs = new LinkedHashMap<>();
  private final Map<String, JobRuns> runs = new LinkedHashMap<>();

  /** Runs that have a thread or are about to get one, also of replaced jobs. */
  private final Set<JobRuns> underWay = ConcurrentHashMap.newKeySet();

  private final Clock clock;
  private final LongSupplier nanos;
  private final JobListener listener;
  private final KnownTrouble trouble;
  private final Scheduler quartz;
  private final ClockSteps steps;

  /** Looks at the clock. Its own times do not depend on that clock. */
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "clock-watch");
            thread.setDaemon(true);
            return thread;
          });

  private volatile Runnable whenSetBack = () -> {};

  /**
   * Creates a schedule whose jobs do not run before {@link #start}.
   *
   * @throws IllegalArgumentException if two jobs have the same name, or if a job would never run
   */
  public Schedule(List<Job> jobs, Clock clock, JobListener listener) {
    this(jobs, clock, System::nanoTime, listener, KnownTrouble.NONE);
  }

  /**
   * @param trouble failures that are not logged
   * @see #Schedule(List, Clock, JobListener)
   */
  public Schedule(List<Job> jobs, Clock clock, JobListener listener, KnownTrouble trouble) {
    this(jobs, clock, System::nanoTime, listener, trouble);
  }

  /**
   * @param nanos a clock that cannot be set
   */
  Schedule(
      List<Job> jobs, Clock clock, LongSupplier nanos, JobListener listener, KnownTrouble trouble) {
    this.clock = clock;
    this.nanos = nanos;
    this.listener = listener;
    this.trouble = trouble;
    this.steps = new ClockSteps(clock, nanos);
    try {
      this.quartz = new StdSchedulerFactory(properties(jobs.size())).getScheduler();
      quartz.setJobFactory(
          (bundle, scheduler) -> new Run(begin(bundle.getJobDetail().getKey().getName())));
      for (Job job : jobs) {
        add(job);
      }
    } catch (ObjectAlreadyExistsException e) {
      throw new IllegalArgumentException("Two jobs have one name: " + e.getMessage(), e);
    } catch (SchedulerException e) {
      throw new IllegalArgumentException("The schedule cannot be made: " + e.getMessage(), e);
    }
  }

  private static Properties properties(int jobs) {
    Properties properties = new Properties();
    // Quartz keeps schedulers by name in a static registry: two daemons in one process need two.
    properties.setProperty("org.quartz.scheduler.instanceName", "raidnode-" + UUID.randomUUID());
    properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
    properties.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
    properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
    properties.setProperty("org.quartz.threadPool.threadNamePrefix", "job");
    properties.setProperty(
        "org.quartz.threadPool.threadCount", String.valueOf(jobs + MORE_THREADS));
    return properties;
  }

  private synchronized JobRuns begin(String name) throws SchedulerException {
    JobRuns found = runs.get(name);
    if (found == null) {
      throw new SchedulerException("Job %s was replaced when it was due".formatted(name));
    }
    underWay.add(found);
    return found;
  }

  private synchronized void add(Job job) throws SchedulerException {
    JobDetail detail = JobBuilder.newJob(Run.class).withIdentity(job.name()).storeDurably().build();
    Instant now = clock.instant();
    // Quartz counts in whole seconds and may fire in the first of them.
    Instant from = job.lastRun().map(last -> last.plusSeconds(1)).filter(now::isAfter).orElse(now);
    quartz.scheduleJob(detail, trigger(job, from));
    jobs.put(job.name(), job);
    runs.put(job.name(), new JobRuns(job, clock, nanos, listener, trouble));
  }

  private static Trigger trigger(Job job, Instant from) {
    CronScheduleBuilder times =
        CronScheduleBuilder.cronSchedule(job.cron()).inTimeZone(TimeZone.getTimeZone(job.zone()));
    return TriggerBuilder.newTrigger()
        .withIdentity(job.name())
        .startAt(Date.from(from))
        .withSchedule(
            switch (job.missed()) {
              case MADE_UP -> times.withMisfireHandlingInstructionFireAndProceed();
              case SKIPPED -> times.withMisfireHandlingInstructionDoNothing();
            })
        .build();
  }

  /** Sets what else is done when the clock was set back. */
  public void whenClockIsSetBack(Runnable action) {
    whenSetBack = action;
  }

  private void lookAtClock() {
    try {
      Optional<Duration> back = steps.setBack();
      if (back.isPresent()) {
        LOG.atWarn()
            .addKeyValue("by", back.get())
            .log("The clock of this machine was set back; all jobs are scheduled anew");
        scheduleAnew();
        whenSetBack.run();
      }
    } catch (SchedulerException | RuntimeException e) {
      LOG.error("The jobs could not be scheduled anew after the clock was set back; restart", e);
    }
  }

  private synchronized void scheduleAnew() throws SchedulerException {
    for (Job job : jobs.values()) {
      Date unused =
          quartz.rescheduleJob(TriggerKey.triggerKey(job.name()), trigger(job, clock.instant()));
      runs.get(job.name()).foresee();
    }
  }

  /** Replaces all jobs whose names begin with a prefix. A running job ends normally. */
  public synchronized void replace(String prefix, List<Job> others) {
    try {
      for (String name : List.copyOf(jobs.keySet())) {
        if (name.startsWith(prefix)) {
          quartz.deleteJob(JobKey.jobKey(name));
          jobs.remove(name);
          runs.remove(name);
        }
      }
      for (Job job : others) {
        add(job);
      }
    } catch (SchedulerException e) {
      throw new IllegalArgumentException("The schedule cannot be changed: " + e.getMessage(), e);
    }
  }

  /** A run of a job for Quartz. */
  @DisallowConcurrentExecution
  private final class Run implements org.quartz.Job {
    private final JobRuns own;

    Run(JobRuns own) {
      this.own = own;
    }

    @Override
    public void execute(JobExecutionContext context) {
      try {
        own.run();
      } finally {
        underWay.remove(own);
        // The interrupt was meant for the run. Quartz would log an error of its own thread.
        boolean unused = Thread.interrupted();
      }
    }
  }

  @Override
  public void start() throws SchedulerException {
    quartz.start();
    ScheduledFuture<?> unused = watch.scheduleWithFixedDelay(this::lookAtClock, 1, 1, SECONDS);
  }

  /** Interrupts running jobs and waits for their end. */
  @Override
  public void stop() throws SchedulerException {
    watch.shutdownNow();
    quartz.standby();
    // The jobs are interrupted here and first: Quartz interrupts them only after its own thread has
    // ended, and that thread waits for a free worker.
    List<JobRuns> all;
    synchronized (this) {
      all = Stream.concat(runs.values().stream(), underWay.stream()).distinct().toList();
    }
    all.forEach(JobRuns::stop);
    quartz.shutdown(true);
  }

  /**
   * Starts a run of each job whose last run failed or was left out because of a known trouble,
   * which is over: the next time of some is a day away.
   */
  public synchronized void runAgainAfterTrouble() {
    for (Map.Entry<String, JobRuns> job : runs.entrySet()) {
      if (job.getValue().isInTrouble()) {
        boolean unused = runNow(job.getKey());
      }
    }
  }

  /**
   * Starts a run of a job now, whatever its schedule.
   *
   * @return false if the job is already running; that run then does the work
   * @throws IllegalArgumentException if there is no such job
   */
  public boolean runNow(String name) {
    JobRuns run;
    synchronized (this) {
      run = runs.get(name);
      if (run == null) {
        throw new IllegalArgumentException(
            "There is no job '%s'; the jobs are %s".formatted(name, runs.keySet()));
      }
    }
    if (run.isRunning()) {
      return false;
    }
    try {
      quartz.triggerJob(JobKey.jobKey(name));
      return true;
    } catch (SchedulerException e) {
      throw new IllegalStateException("Job %s cannot be started now".formatted(name), e);
    }
  }

  /** Returns the state of each job, in the order in which the jobs were given. */
  public synchronized List<JobReport> reports() {
    return runs.keySet().stream().map(this::report).toList();
  }

  /** Returns the state of a job; empty if there is no such job. */
  public synchronized Optional<JobReport> find(String name) {
    return Optional.ofNullable(jobs.get(name)).map(job -> report(name));
  }

  private JobReport report(String name) {
    Job job = jobs.get(name);
    return runs.get(name).report(Cron.next(job.cron(), job.zone(), clock));
  }
}
