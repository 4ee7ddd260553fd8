// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.status;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The jobs that work in containers of YARN.
 *
 * @param jobs jobs that were submitted and have not ended
 * @param refusal why no job is submitted now, in the words of YARN; empty if jobs are submitted
 * @param refusedUntil when YARN is asked again; empty if jobs are submitted
 */
public record Containers(List<Job> jobs, Optional<String> refusal, Optional<Instant> refusedUntil) {
  public Containers {
    jobs = Absent.toEmpty(jobs);
    refusal = Absent.toEmpty(refusal);
    refusedUntil = Absent.toEmpty(refusedUntil);
  }

  /**
   * A job.
   *
   * @param application id of the application, by which YARN knows it
   * @param trackingUrl address of the page of YARN about it
   * @param work {@code encode} or {@code repair}
   * @param stage {@code waiting} for its queue or its application master, or {@code running}
   * @param percent progress of its tasks, from 0 to 100
   * @param waiting number of files, or of stripes to repair, that wait for it
   * @param stripes number of stripes to work on
   * @param done number of stripes of which the daemon knows what became of them
   * @param diagnostics what YARN says of it, such as why it waits; may be empty
   * @param sameNode bytes that its tasks read on their own node
   * @param sameRack bytes that they read from other nodes of their rack
   * @param offRack bytes that they read from other racks, or from unknown ones
   */
  public record Job(
      String application,
      String trackingUrl,
      Instant submitted,
      String work,
      String stage,
      double percent,
      long waiting,
      long stripes,
      long done,
      String diagnostics,
      long sameNode,
      long sameRack,
      long offRack) {
    public Job {
      application = Absent.toEmpty(application);
      trackingUrl = Absent.toEmpty(trackingUrl);
      work = Absent.toEmpty(work);
      stage = Absent.toEmpty(stage);
      diagnostics = Absent.toEmpty(diagnostics);
    }
  }
}
