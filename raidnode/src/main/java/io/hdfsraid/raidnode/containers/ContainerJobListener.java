// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.raidnode.containers.JobDispatcher.JobReport;
import java.util.List;

/** Receives what jobs in containers do. Called from many threads. */
public interface ContainerJobListener {
  ContainerJobListener NONE = new ContainerJobListener() {};

  /** Jobs were looked at: these have not ended. */
  default void looked(ContainerJobs.Kind kind, List<JobReport> jobs, boolean refused) {}

  /** Containers have read so many bytes, as their tasks say. */
  default void readInContainer(ContainerJobs.Kind kind, Distance distance, long bytes) {}

  /**
   * A job has ended.
   *
   * @param complete its tasks have answered for each of its stripes, be it that they failed
   */
  default void jobEnded(ContainerJobs.Kind kind, boolean complete) {}
}
