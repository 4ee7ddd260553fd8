// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.engine;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.cluster.Workbench;
import io.hdfsraid.bench.raid.RaidRun;
import io.hdfsraid.bench.repair.NodeFailure;
import io.hdfsraid.bench.repair.NodeFailureRun;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.raidnode.containers.ContainerBounds;
import io.hdfsraid.raidnode.containers.ContainerJobListener;
import io.hdfsraid.raidnode.containers.ContainerJobs.Kind;
import io.hdfsraid.raidnode.containers.DispatcherTurns;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.containers.Turns;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.engine.ContainerEngine;
import io.hdfsraid.raidnode.raiding.engine.Engine;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/** Raids all files of a benchmark once, and repairs the loss of a DataNode. */
final class EngineTrial {
  private static final String JOBS = "jobs";
  private static final String CATALOG = "catalog";
  private static final Clock CLOCK = Clock.systemUTC();

  private final Workbench workbench;
  private final BenchCluster cluster;
  private final ErasureCodec codec;

  /** Bytes per second that each container reads and writes. */
  private final long link;

  EngineTrial(Workbench workbench, BenchCluster cluster, ErasureCodec codec, long link) {
    this.workbench = workbench;
    this.cluster = cluster;
    this.codec = codec;
    this.link = link;
  }

  /**
   * The cost of raiding all files.
   *
   * @param seconds until the last file was reduced
   * @param daemonBytes that the daemon has read from DataNodes and written to them
   * @param calls of the NameNode, by all
   */
  record Raiding(double seconds, long daemonBytes, long calls) {}

  /**
   * The cost of a repair.
   *
   * @param bytesRead that DataNodes have read for it
   */
  record Repair(double seconds, long bytesRead) {}

  /** Raids as the daemon does without containers. The sources stay as they are. */
  Raiding raidLocally() throws IOException {
    LongAdder daemonBytes = new LongAdder();
    try (RaidRun raid =
        new RaidRun(
            cluster,
            codec,
            CLOCK,
            access -> UnaryOperator.identity(),
            (purpose, direction, distance, bytes) -> add(purpose, bytes, daemonBytes))) {
      return measured(raid, daemonBytes);
    }
  }

  /** Raids in containers. */
  Raiding raid(int containers) throws IOException {
    LongAdder daemonBytes = new LongAdder();
    AtomicReference<JobDispatcher> dispatcher = new AtomicReference<>();
    try (RaidRun raid =
        new RaidRun(
            cluster,
            codec,
            CLOCK,
            access -> local -> engine(containers, access, local, dispatcher),
            (purpose, direction, distance, bytes) -> add(purpose, bytes, daemonBytes))) {
      return DispatcherTurns.during(List.of(dispatcher.get()), () -> measured(raid, daemonBytes));
    } finally {
      workbench.remove(JOBS);
    }
  }

  private Engine engine(
      int containers,
      ClusterAccess access,
      Engine local,
      AtomicReference<JobDispatcher> dispatcher) {
    LocalRunnerJobs jobs = jobs(Kind.ENCODE, access, containers, cluster.settings().sourceBytes());
    dispatcher.set(
        new JobDispatcher(
            jobs,
            () -> true,
            () -> true,
            new ContainerBounds(() -> link * containers, () -> Integer.MAX_VALUE),
            ContainerJobListener.NONE,
            CLOCK));
    return new ContainerEngine(jobs, dispatcher.get(), local, new Turns(() -> 1));
  }

  private LocalRunnerJobs jobs(Kind kind, ClusterAccess access, int containers, long bytesPerJob) {
    return new LocalRunnerJobs(
        kind, cluster, access, workbench.directory(JOBS), containers, bytesPerJob);
  }

  private static void add(Purpose purpose, long bytes, LongAdder sum) {
    if (purpose == Purpose.RAIDING) {
      sum.add(bytes);
    }
  }

  private Raiding measured(RaidRun raid, LongAdder daemonBytes) throws IOException {
    cluster.load();
    long before = calls();
    RaidRun.Result result = raid.run();
    return new Raiding(result.reduced().seconds(), daemonBytes.sum(), calls() - before);
  }

  private long calls() throws IOException {
    return cluster.hdfs().settledNameNodeCalls().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Stops a DataNode, and repairs in containers what it held. Another takes its place. */
  Repair repair(int containers) throws IOException {
    try (NodeFailureRun run =
        new NodeFailureRun(
            cluster,
            workbench.directory(CATALOG),
            new Tuning.Containers(false, Tuning.Repairs.ALL, 1, link * containers),
            access -> Map.of(Kind.REPAIR, jobs(Kind.REPAIR, access, containers, Long.MAX_VALUE)),
            CLOCK)) {
      NodeFailure failure = DispatcherTurns.during(run.containers(), () -> run.fail(1, 0));
      return new Repair(failure.seconds(), failure.bytesRead());
    } finally {
      workbench.remove(CATALOG);
      workbench.remove(JOBS);
    }
  }

  /** Removes the files and their parity. */
  void clear() throws IOException {
    try (RaidRun raid = new RaidRun(cluster, codec, CLOCK)) {
      cluster.removeSources();
      raid.removeParity();
    }
  }
}
