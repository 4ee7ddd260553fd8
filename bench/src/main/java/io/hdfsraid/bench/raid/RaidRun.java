// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.blockfixer.placement.MoveSlots;
import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.blockfixer.placement.ParityNodes;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.RefusedMoves;
import io.hdfsraid.blockfixer.placement.UnitMover;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.EncodingTimes;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.embedded.Pause;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FullReads;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.Reductions;
import io.hdfsraid.raidnode.raiding.engine.Engine;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.traffic.TransferListener;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;

/** Raids all source files as the daemon does, with its own pipelines. */
public final class RaidRun implements AutoCloseable {
  private static final int IO_THREADS_PER_WORKER = 24;
  private static final int MOVES = 32;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final Duration AUDIT_LIMIT = Duration.ofMinutes(2);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final BenchCluster cluster;
  private final HdfsCluster connection;
  private final Pipelines pipelines;
  private final Protection protection;
  private final NameNodeTime nameNode = new NameNodeTime();
  private final List<ExecutorService> threads = new ArrayList<>();

  /**
   * What it took.
   *
   * @param reduced until the last file was reduced
   * @param audited from there until the last file was audited
   * @param unitsMoved by the audit
   * @param split of the time until they were reduced
   */
  public record Result(RunCost reduced, RunCost audited, int unitsMoved, TimeSplit split) {}

  /**
   * @param codec also one that is not in the library
   */
  public RaidRun(BenchCluster cluster, ErasureCodec codec, Clock clock) throws IOException {
    this(
        cluster,
        codec,
        clock,
        access -> UnaryOperator.identity(),
        (purpose, direction, distance, bytes) -> {});
  }

  /**
   * @param codec also one that is not in the library
   * @param engine returns what encodes, given what encodes in this process
   * @param transfers told of all that this process reads from DataNodes and writes to them
   */
  public RaidRun(
      BenchCluster cluster,
      ErasureCodec codec,
      Clock clock,
      Function<ClusterAccess, UnaryOperator<Engine>> engine,
      TransferListener transfers)
      throws IOException {
    this.cluster = cluster;
    this.protection = new Protection(codec.name(), 1, 1);
    this.connection =
        HdfsCluster.connect(
            cluster.hdfs().uri(), cluster.hdfs().configuration(), ParitySettings.defaults(), clock);
    ParityBytes parity = new ParityBytes();
    RefusedMoves refused = new RefusedMoves(clock);
    this.pipelines =
        Pipelines.of(
            nameNode.watching(connection.access()),
            new Pipelines.Placement(
                new PlacementAudit(parity, refused, new Random(clock.millis())),
                new ParityNodes(parity),
                new UnitMover(
                    connection.mover(),
                    connection.access().fence(),
                    new StripeClaims(),
                    Polling.every(PATIENCE, LOOK_AGAIN),
                    new MoveSlots(() -> MOVES, () -> MOVES),
                    refused,
                    parity,
                    StepListener.NONE),
                threads(MOVES)),
            new Pipelines.Encoding(
                name -> codec,
                new Traffic(
                    Tuning.workers(cluster.settings().workers(), 1, MOVES),
                    ReaderLocation.ofThisMachine(Optional.empty(), List.of()),
                    transfers),
                new RowMemory(Runtime.getRuntime().maxMemory() / 4),
                threads(cluster.settings().workers() * IO_THREADS_PER_WORKER),
                engine.apply(connection.access())),
            new Pipelines.Notebook(new NoGroups(), FullReads.NONE, Reductions.NONE),
            new Pipelines.Limits(Integer.MAX_VALUE, Duration.ZERO),
            clock,
            StepListener.NONE);
  }

  private ExecutorService threads(int count) {
    ExecutorService pool = Executors.newFixedThreadPool(count);
    threads.add(pool);
    return pool;
  }

  /** Raids all sources; neither they nor the parity are removed. */
  public Result run() throws IOException {
    return run(cluster.sources());
  }

  /** Raids some of the sources. */
  public Result run(List<Path> sources) throws IOException {
    List<Long> inodes = inodes(sources);
    long bytesBefore = cluster.bytesMoved();
    long start = System.nanoTime();
    TimeSplit split = reduce(inodes);
    long reduced = System.nanoTime();
    long bytesReduced = cluster.bytesMoved();
    int unitsMoved = audit(inodes);
    long audited = System.nanoTime();
    return new Result(
        new RunCost((reduced - start) / 1e9, bytesReduced - bytesBefore),
        new RunCost((audited - reduced) / 1e9, cluster.bytesMoved() - bytesReduced),
        unitsMoved,
        split);
  }

  /** Raids all sources without the audit, to see where the time goes. */
  public TimeSplit reduce() throws IOException {
    return reduce(inodes(cluster.sources()));
  }

  private List<Long> inodes(List<Path> sources) throws IOException {
    DFSClient client = cluster.hdfs().fileSystem().getClient();
    List<Long> inodes = new ArrayList<>();
    for (Path source : sources) {
      inodes.add(client.getFileInfo(source.toString()).getFileId());
    }
    return inodes;
  }

  private TimeSplit reduce(List<Long> inodes) throws IOException {
    return cluster
        .crew()
        .run(inodes.stream().<Callable<TimeSplit>>map(inode -> () -> raid(inode)).toList())
        .stream()
        .reduce(TimeSplit.NONE, TimeSplit::plus);
  }

  private TimeSplit raid(long inode) throws IOException {
    AtomicReference<EncodingTimes> encoding = new AtomicReference<>(TimeSplit.NONE.encoding());
    RaidProgress progress =
        new RaidProgress() {
          @Override
          public void encoded(long bytes) {}

          @Override
          public void spent(EncodingTimes times) {
            encoding.accumulateAndGet(times, EncodingTimes::plus);
          }
        };
    long start = System.nanoTime();
    long asked =
        nameNode.during(
            () -> {
              RaidOutcome outcome = pipelines.raider().raid(inode, protection, progress);
              if (outcome.state() != FileState.REDUCED || outcome.reason().isPresent()) {
                throw new IOException(
                    "Inode %d was not raided: %s %s"
                        .formatted(inode, outcome.reason().orElse(null), outcome.detail()));
              }
            });
    return new TimeSplit(System.nanoTime() - start, encoding.get(), asked);
  }

  /** Returns how many units were moved. */
  private int audit(List<Long> inodes) throws IOException {
    int moved = 0;
    List<Long> underWay = new ArrayList<>(inodes);
    long end = System.nanoTime() + AUDIT_LIMIT.toNanos();
    while (true) {
      List<Callable<RaidOutcome>> audits = new ArrayList<>();
      underWay.forEach(inode -> audits.add(() -> pipelines.fileReconciler().reconcile(inode)));
      List<RaidOutcome> outcomes = cluster.crew().run(audits);
      List<Long> rest = new ArrayList<>();
      for (int i = 0; i < outcomes.size(); i++) {
        moved += outcomes.get(i).unitsMoved();
        if (outcomes.get(i).state() != FileState.RAIDED) {
          rest.add(underWay.get(i));
        }
      }
      if (rest.isEmpty()) {
        return moved;
      }
      if (System.nanoTime() > end) {
        throw new IOException(
            "After %d s, %d of %d files are not audited: %s"
                .formatted(
                    AUDIT_LIMIT.toSeconds(),
                    rest.size(),
                    inodes.size(),
                    outcomes.stream().map(RaidOutcome::detail).distinct().toList()));
      }
      underWay = rest;
      Pause.of(LOOK_AGAIN);
    }
  }

  /** Returns which blocks of a raided file are in one stripe, from its manifest. */
  public List<Stripe> stripes(Path file) throws IOException {
    long inode = inodes(List.of(file)).get(0);
    return connection
        .access()
        .parity()
        .find(inode)
        .orElseThrow(() -> new IOException(file + " has no parity"))
        .manifest()
        .stripes();
  }

  /** Removes the parity of all files, which are to be removed next. */
  public void removeParity() throws IOException {
    cluster.remove(new Path(ParitySettings.defaults().root(), "parity"));
    connection.access().parity().prepare();
  }

  @Override
  public void close() throws IOException {
    threads.forEach(ExecutorService::shutdownNow);
    connection.close();
  }
}
