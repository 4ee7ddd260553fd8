// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.engine;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.ContainerRate;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The containers of one trial, and the dispatcher that gives them work.
 *
 * @param dispatcher gets its turns from a thread of this trial, as from the job of the daemon
 */
record ContainerLoad(ContainerJobs jobs, JobDispatcher dispatcher, ScheduledExecutorService turns)
    implements AutoCloseable {
  private static final long EVERY_MILLIS = 200;

  /**
   * @param containers how many work at the same time
   * @param bytesPerSecond what each may read and write
   * @param bytesPerJob as soon as so many bytes wait, they are submitted
   */
  static ContainerLoad start(
      ContainerJobs.Kind kind,
      BenchCluster bench,
      ClusterAccess cluster,
      Path folder,
      int containers,
      long bytesPerSecond,
      long bytesPerJob) {
    LocalRunnerJobs jobs =
        new LocalRunnerJobs(kind, bench, cluster, folder, containers, bytesPerJob);
    JobDispatcher dispatcher =
        new JobDispatcher(
            jobs,
            () -> true,
            () -> true,
            new ContainerRate(() -> bytesPerSecond * containers),
            Clock.systemUTC());
    ScheduledExecutorService turns = Executors.newSingleThreadScheduledExecutor();
    var unused =
        turns.scheduleWithFixedDelay(
            dispatcher::turn, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    return new ContainerLoad(jobs, dispatcher, turns);
  }

  @Override
  public void close() {
    turns.shutdown();
    dispatcher.stop();
  }
}
