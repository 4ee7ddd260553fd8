// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.yarn.job.EncodeJob;
import io.hdfsraid.yarn.job.EncodeJobs;
import io.hdfsraid.yarn.work.StripeAnswer;
import io.hdfsraid.yarn.work.StripeWork;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Jobs that encode in containers of the cluster. Safe for concurrent use. */
public interface ContainerJobs {

  /**
   * The bounds of the jobs.
   *
   * @param filesAtOnce files that wait for containers at the same time
   * @param jobsAtOnce jobs that run, or wait for their queue, at the same time
   * @param bytesPerJob a job is submitted when the files that wait have as many bytes
   * @param gather how long a file waits for others to share a job with
   * @param containers of a job that run at the same time
   * @param patience how long a job may wait for its queue before its files are encoded by the
   *     daemon
   */
  record Limits(
      int filesAtOnce,
      int jobsAtOnce,
      long bytesPerJob,
      Duration gather,
      int containers,
      Duration patience) {}

  Limits limits();

  /** Returns the user as whom containers write. */
  String user();

  /**
   * Submits a job, with the rights to read the blocks of the stripes for a limited time.
   *
   * @param bytesPerSecond what each of its containers may read and write at first; 0 for no limit
   */
  Running submit(List<StripeWork> stripes, long bytesPerSecond) throws IOException;

  /** Ends the jobs that a former daemon has left. */
  EncodeJobs.Ended endFormer() throws IOException;

  /** A job that was submitted. Used by one thread at a time. */
  interface Running extends Closeable {
    /** Returns the name by which people find it. */
    String application();

    /** Returns where people watch it. */
    String trackingUrl();

    /** Asks how far it is. */
    EncodeJob.Status status() throws IOException;

    /** Returns the answers that were not returned before. */
    List<StripeAnswer> answers() throws IOException;

    /** Changes what each of its containers may read and write in a second; 0 for no limit. */
    void limit(long bytesPerSecond) throws IOException;

    /** Ends it, if it has not ended. */
    void kill() throws IOException;

    /** Removes what is left of it. */
    @Override
    void close() throws IOException;
  }
}
