// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.raidnode.containers.JobDispatcher.JobReport;
import java.util.List;

/** Receives what jobs in containers do. Called from many threads. */
public interface ContainerJobListener {
  ContainerJobListener NONE = new ContainerJobListener() {};

  /**
   * Called after each turn.
   *
   * @param jobs those that have not ended
   * @param refused whether the daemon does the work by itself for a while
   */
  default void looked(ContainerJobs.Kind kind, List<JobReport> jobs, boolean refused) {}

  /** Containers have read so many bytes, as their tasks say. */
  default void readInContainer(ContainerJobs.Kind kind, Distance distance, long bytes) {}

  /**
   * A job has ended.
   *
   * @param complete whether there is an answer for each of its stripes; a failure is an answer
   */
  default void jobEnded(ContainerJobs.Kind kind, boolean complete) {}
}
