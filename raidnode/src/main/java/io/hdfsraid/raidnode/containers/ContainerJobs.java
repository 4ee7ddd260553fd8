// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import io.hdfsraid.yarn.job.StripeJob;
import io.hdfsraid.yarn.job.StripeJobs;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.Work;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Jobs of one kind that run in containers of the cluster. Safe for concurrent use. */
public interface ContainerJobs {

  /** The kind of work that containers do. */
  enum Kind {
    ENCODE,
    REPAIR;

    /** Returns the verb. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Kind kind();

  /**
   * The bounds of the jobs.
   *
   * @param atOnce files, or stripes to repair, that wait for containers at the same time
   * @param jobsAtOnce jobs that run, or wait for their queue, at the same time
   * @param bytesPerJob a job is submitted when what waits has as many bytes
   * @param gather how long work waits for other work to share a job with
   * @param containers of a job that run at the same time at most
   * @param patience how long a job may wait for its queue before its work is done by the daemon
   */
  record Limits(
      int atOnce,
      int jobsAtOnce,
      long bytesPerJob,
      Duration gather,
      int containers,
      Duration patience) {

    /** Returns the same bounds for work that waits so long for other work. */
    public Limits gathering(Duration other) {
      return new Limits(atOnce, jobsAtOnce, bytesPerJob, other, containers, patience);
    }
  }

  Limits limits();

  /** Returns the user as whom containers write. */
  String user();

  /**
   * Submits a job, with the rights to the blocks of the stripes for a limited time.
   *
   * @param containers how many may run at the same time
   * @param bytesPerSecond what each of them may read and write at first; 0 for no limit
   */
  Running submit(List<? extends Work> stripes, int containers, long bytesPerSecond)
      throws IOException;

  /** Returns how many DataNodes the cluster has. */
  int dataNodes() throws IOException;

  /** Ends the jobs that a former daemon has left. */
  StripeJobs.Ended endFormer() throws IOException;

  /** A job that was submitted. Used by one thread at a time, except that any may tell. */
  interface Running extends Closeable {
    /** Returns the name by which people find it. */
    String application();

    /** Returns where people watch it. */
    String trackingUrl();

    /** Asks how far it is. */
    StripeJob.Status status() throws IOException;

    /** Returns what its tasks have said and was not returned before. */
    List<Answer> answers() throws IOException;

    /**
     * Tells a task that it may make a repaired unit final.
     *
     * @param order the number of its work in this job
     * @param attempt the name of the task
     */
    void tell(int order, String attempt, int unit) throws IOException;

    /** Tells a task to drop the units that it has not made final. */
    void tellToDrop(int order, String attempt) throws IOException;

    /** Changes what each of its containers may read and write in a second; 0 for no limit. */
    void limit(long bytesPerSecond) throws IOException;

    /** Ends it, if it has not ended. */
    void kill() throws IOException;

    /** Removes what is left of it. */
    @Override
    void close() throws IOException;
  }
}
