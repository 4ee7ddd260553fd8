// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.repair;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.raid.RaidRun;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.plan.RepairDecision;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.blockfixer.repair.RepairTally;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.embedded.EmbeddedNode;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.repair.RepairSchedule;
import io.hdfsraid.raidnode.repair.StormBreaker;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.upkeep.PlacementJob;
import io.hdfsraid.recency.RecencyOptions;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;

/**
 * Stops DataNodes, and repairs their units with the daemon's own jobs, without delay and without
 * the daemon's limits on bytes, streams and calls.
 */
public final class NodeFailureRun implements AutoCloseable {
  private static final long SEED = 14978;
  private static final int MOVES = 8;

  /** Files that have three replicas at the same time: all would not fit into memory. */
  private static final int FILES_AT_ONCE = 10;

  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  private final BenchCluster cluster;
  private final EmbeddedHdfs hdfs;
  private final HdfsCluster connection;
  private final Catalog catalog;
  private final JobWiring jobs;
  private final RepairFloor floor;
  private final RepairSplit split = new RepairSplit();
  private final Random random = new Random(SEED);
  private volatile RepairTally tally = new RepairTally();

  /**
   * @param catalogFolder empty; what is raided is found on HDFS
   */
  NodeFailureRun(BenchCluster cluster, java.nio.file.Path catalogFolder, Clock clock)
      throws IOException {
    this(cluster, catalogFolder, Tuning.Containers.NONE, access -> Map.of(), clock);
  }

  /**
   * @param catalogFolder empty; what is raided is found on HDFS
   * @param containers what containers do
   * @param jobs returns what runs in containers
   */
  public NodeFailureRun(
      BenchCluster cluster,
      java.nio.file.Path catalogFolder,
      Tuning.Containers containers,
      Function<ClusterAccess, Map<ContainerJobs.Kind, ContainerJobs>> jobs,
      Clock clock)
      throws IOException {
    this.cluster = cluster;
    this.hdfs = cluster.hdfs();
    this.connection =
        HdfsCluster.connect(hdfs.uri(), hdfs.configuration(), ParitySettings.defaults(), clock);
    connection.workIn(jobs.apply(connection.access()));
    this.catalog = Catalog.open(catalogFolder, clock);
    RaidEvents events =
        new RaidEvents() {
          @Override
          public void repaired(RepairOutcome outcome, int losses) {
            if (outcome instanceof RepairOutcome.Repaired repaired) {
              tally.add(repaired);
            }
          }
        };
    this.jobs =
        JobWiring.of(
            connection,
            catalog,
            Policies.of(),
            settings(cluster, containers),
            new JobListeners(events, split),
            clock);
    this.floor = new RepairFloor(cluster, connection.access().dataNodes());
  }

  private static JobSettings settings(BenchCluster cluster, Tuning.Containers containers) {
    JobSettings usual = JobSettings.defaults();
    return new JobSettings(
        usual.root(),
        Tuning.workers(1, cluster.settings().workers(), MOVES).in(containers),
        usual.rowMemory(),
        usual.movesPerNode(),
        usual.auditFilesPerSecond(),
        usual.polling(),
        usual.dataNodeTimeout(),
        usual.repairAttempts(),
        new Pipelines.Limits(Integer.MAX_VALUE, Duration.ZERO),
        usual.raidRetryAfter(),
        // No node comes back here, and whatever failed is to be tried again at once.
        new RepairSchedule(Duration.ZERO, Duration.ZERO, Integer.MAX_VALUE),
        // Three of twenty at once would be a storm, which waits.
        StormBreaker.Limits.NONE,
        usual.scrub(),
        usual.history(),
        usual.lostParity(),
        RecencyOptions.listing(usual.root(), Optional.empty()),
        usual.readerLocation());
  }

  /** Writes and raids all source files, and audits them, before the first DataNode dies. */
  static void prepare(BenchCluster cluster, ErasureCodec codec, Clock clock) throws IOException {
    try (RaidRun raid = new RaidRun(cluster, codec, clock)) {
      List<Path> sources = cluster.sources();
      for (int first = 0; first < sources.size(); first += FILES_AT_ONCE) {
        List<Path> some = sources.subList(first, Math.min(first + FILES_AT_ONCE, sources.size()));
        cluster.load(some);
        RaidRun.Result unused = raid.run(some);
        cluster.awaitDeletions();
      }
    }
  }

  /**
   * DataNodes die at once, their blocks are repaired, and empty DataNodes take their place.
   *
   * @param readLimit bytes per second that each DataNode gives its readers meanwhile; with 0 there
   *     is no limit, and the floor is measured, too
   */
  public NodeFailure fail(int nodes, long readLimit) throws IOException {
    spread();
    List<Integer> dying = choose(nodes);
    for (int node : dying) {
      hdfs.stopDataNode(node);
      hdfs.declareDead(node);
    }
    long lost = detect();
    Optional<Double> floorSeconds =
        readLimit == 0 ? Optional.of(floor.run(plans())) : Optional.empty();
    long before = cluster.bytesRead();
    Map<Integer, Long> beforeByNode = bytesReadByNode();
    hdfs.limitReads(readLimit);
    tally = new RepairTally();
    split.begin();
    long start = System.nanoTime();
    repair();
    double seconds = (System.nanoTime() - start) / 1e9;
    RepairSplit.Shares shares = split.shares();
    hdfs.limitReads(0);
    long read = cluster.bytesRead() - before;
    LongSummaryStatistics byNode =
        bytesReadByNode().entrySet().stream()
            .mapToLong(node -> node.getValue() - beforeByNode.get(node.getKey()))
            .summaryStatistics();
    double busiest = byNode.getMax() / byNode.getAverage();
    hdfs.addDataNodes(nodes);
    return new NodeFailure(
        nodes, lost, read, busiest, seconds, floorSeconds, tally.byLosses(), shares);
  }

  /**
   * Moves units, as the daemon does in time, until no two of a stripe share a node: the code has to
   * bear what dies.
   */
  private void spread() throws IOException {
    jobs.detection().integrity().run(); // so that the catalog knows all files
    boolean apart =
        Polling.every(LIMIT, LOOK_AGAIN)
            .until(
                () -> {
                  cluster.awaitDeletions();
                  jobs.upkeep().placementAudit().run();
                  return PlacementJob.pass(catalog.notes())
                      .filter(pass -> pass.sharing() == 0 && pass.moved() == 0)
                      .isPresent();
                });
    if (!apart) {
      throw new IOException(
          "After %d s of moving, units of a stripe still share a node: %s"
              .formatted(LIMIT.toSeconds(), PlacementJob.pass(catalog.notes())));
    }
  }

  private Map<Integer, Long> bytesReadByNode() {
    return hdfs.dataNodes().stream()
        .map(EmbeddedNode::index)
        .filter(hdfs::isRunning)
        .collect(Collectors.toMap(Function.identity(), hdfs::bytesRead));
  }

  /** Any of those that hold at least half of what the nodes hold in the mean. */
  private List<Integer> choose(int nodes) {
    List<Integer> running =
        hdfs.dataNodes().stream().map(EmbeddedNode::index).filter(hdfs::isRunning).toList();
    long all = running.stream().mapToLong(node -> hdfs.replicaFiles(node).size()).sum();
    List<Integer> full =
        new ArrayList<>(
            running.stream()
                .filter(node -> 2L * running.size() * hdfs.replicaFiles(node).size() >= all)
                .toList());
    Collections.shuffle(full, random);
    return full.subList(0, nodes);
  }

  /**
   * As the daemon does every 15 seconds, until it knows of all that the NameNode lists.
   *
   * @return how many blocks are lost
   */
  private long detect() throws IOException {
    boolean found =
        Polling.every(LIMIT, LOOK_AGAIN)
            .until(
                () -> {
                  int unused = jobs.detection().reportedLosses().run();
                  if (known() != listed()) {
                    // A DataNode that took too long to answer counts as lost until asked again.
                    jobs.detection().integrity().run();
                  }
                  return known() == listed();
                });
    if (!found) {
      throw new IOException(
          "After %d s of looking, the NameNode lists %d lost blocks, but these are to be repaired: %s"
              .formatted(LIMIT.toSeconds(), listed(), ledger()));
    }
    return known();
  }

  /** Not all that the dead held is lost: a block that was moved may still have its old replica. */
  private long listed() throws IOException {
    return connection.losses().files().values().stream().mapToLong(Integer::intValue).sum();
  }

  private long known() {
    return ledger().stream().mapToLong(record -> record.lost().size()).sum();
  }

  private List<RepairPlan> plans() throws IOException {
    List<RepairPlan> plans = new ArrayList<>();
    for (RepairState record : ledger()) {
      StripeHealth health =
          jobs.detection().stripes().look(record.inode()).get(record.stripe().index());
      jobs.repair().job().foresee(health).flatMap(RepairDecision::plan).ifPresent(plans::add);
    }
    return plans;
  }

  private void repair() throws IOException {
    boolean whole =
        Polling.every(LIMIT, LOOK_AGAIN)
            .until(
                () -> {
                  int unused = jobs.repair().job().run();
                  return ledger().isEmpty();
                });
    if (!whole) {
      throw new IOException(
          "After %d s not everything is repaired: %s".formatted(LIMIT.toSeconds(), ledger()));
    }
  }

  /** Returns what gives work to containers, as the daemon's jobs do; none if they have none. */
  public List<JobDispatcher> containers() {
    return jobs.containers();
  }

  private List<RepairState> ledger() {
    return catalog.repairs().list(Optional.empty(), Integer.MAX_VALUE);
  }

  @Override
  public void close() throws IOException {
    try {
      floor.close();
      jobs.close();
    } finally {
      try {
        connection.close();
      } finally {
        catalog.close();
      }
    }
  }
}
