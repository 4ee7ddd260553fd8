// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.hdfs.ExternalAuthorizer;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.repair.RepairSchedule;
import io.hdfsraid.raidnode.repair.StormBreaker;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.upkeep.CleanUpJob;
import io.hdfsraid.raidnode.upkeep.VanishedParity;
import io.hdfsraid.recency.RecencyOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * A real HDFS with block tokens, and the jobs of a daemon on it. What is damaged is damaged on the
 * disks of DataNodes; nobody is told.
 */
public final class Journey implements AutoCloseable {
  public static final int BLOCK = 128 << 10;
  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/.raid");
  private static final org.apache.hadoop.fs.Path ELSEWHERE =
      new org.apache.hadoop.fs.Path("/moved-by-somebody");

  /** After that much time the daemon asks again whether there is an authorizer. */
  private static final Duration AUTHORIZER_KNOWN_FOR = Duration.ofHours(2);

  private static final int OTHERS = 0077;

  public final EmbeddedHdfs hdfs;
  private final Path folder;
  private final Random random = new Random(2029);

  /** The clock of the machine on which the daemon runs. */
  public final ShiftedClock clock = new ShiftedClock(Clock.systemUTC());

  private HdfsCluster cluster;
  private Catalog catalog;
  private JobWiring jobs;

  public Journey(int dataNodes) throws IOException {
    this(dataNodes, Map.of());
  }

  /**
   * @param settings of HDFS, beside the usual ones
   */
  public Journey(int dataNodes, Map<String, String> settings) throws IOException {
    this(with(EmbeddedHdfs.builder().dataNodes(dataNodes), settings));
  }

  private static EmbeddedHdfs.Builder with(
      EmbeddedHdfs.Builder builder, Map<String, String> settings) {
    settings.forEach(builder::set);
    return builder;
  }

  /** On five racks, with block tokens, and otherwise as the builder says. */
  Journey(EmbeddedHdfs.Builder builder) throws IOException {
    hdfs = builder.racks(5).blockSize(BLOCK).withBlockTokens().start();
    folder = Files.createTempDirectory("journey");
  }

  // The daemon

  public void startDaemon(StepListener steps) throws IOException {
    startDaemon(steps, new Policies(List.of(), List.of(), 0));
  }

  public void startDaemon(StepListener steps, Policies policies) throws IOException {
    startDaemon(steps, policies, settings());
  }

  void startDaemon(StepListener steps, Policies policies, JobSettings settings) throws IOException {
    startDaemon(steps, policies, settings, RaidEvents.NONE);
  }

  void startDaemon(StepListener steps, Policies policies, JobSettings settings, RaidEvents events)
      throws IOException {
    cluster =
        HdfsCluster.connect(hdfs.uri(), hdfs.configuration(), ParitySettings.defaults(), clock);
    catalog = Catalog.open(folder.resolve("catalog"), clock);
    jobs =
        JobWiring.of(cluster, catalog, policies, settings, new JobListeners(events, steps), clock);
    cluster.owner().ifPresent(owner -> owner.onRemade(jobs.upkeep().mode()::rootWasRemade));
  }

  static JobSettings settings() {
    return settings(Tuning.workers(2, 2, 4), 2);
  }

  static JobSettings settings(Tuning tuning, int movesPerNode) {
    return new JobSettings(
        "/.raid",
        tuning,
        64 << 20,
        movesPerNode,
        1_000,
        JobSettings.defaults().polling(),
        Duration.ofSeconds(60),
        3,
        new Pipelines.Limits(64, Duration.ZERO),
        Duration.ofHours(1),
        new RepairSchedule(Duration.ZERO, Duration.ZERO, 1_000),
        StormBreaker.Limits.NONE,
        new ScrubJob.Settings(Duration.ofHours(1), Duration.ofHours(1), Duration.ofDays(7)),
        new CleanUpJob.History(Duration.ofDays(1), 1_000),
        VanishedParity.Limits.DEFAULT,
        RecencyOptions.listing("/.raid", Optional.empty()),
        new ReaderLocation(Set.of(), Optional.of("/rack0")));
  }

  public void stopDaemon() throws IOException {
    if (jobs != null) {
      jobs.close();
      catalog.close();
      cluster.close();
      jobs = null;
    }
  }

  /** The notebook is lost; HDFS is not. */
  public void forgetEverything() throws IOException {
    try (Stream<Path> tree = Files.walk(folder.resolve("catalog"))) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  Path catalogFolder() {
    return folder.resolve("catalog");
  }

  public JobWiring jobs() {
    return jobs;
  }

  public Catalog catalog() {
    return catalog;
  }

  public HdfsCluster cluster() {
    return cluster;
  }

  // Files

  /** Loads a file of random bytes by a plain client, three replicas. */
  public byte[] load(String path, int length) throws IOException {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    write(path, bytes);
    return bytes;
  }

  /** Writes a file by a plain client, three replicas. */
  public void write(String path, byte[] bytes) throws IOException {
    try (OutputStream out = hdfs.fileSystem().create(new org.apache.hadoop.fs.Path(path))) {
      out.write(bytes);
    }
  }

  /** Returns the number of replicas of each block of a file; 0 if it is not the same for all. */
  public int replicas(String path) throws IOException {
    List<Integer> counts =
        file(path).blocks().stream().map(block -> block.live().size()).distinct().toList();
    return counts.size() == 1 ? counts.get(0) : 0;
  }

  byte[] readPlain(String path) throws IOException {
    return read(hdfs.fileSystem(), path);
  }

  /** Through the file system that reads through losses. */
  byte[] readDegraded(String path) throws IOException {
    Configuration conf = new Configuration(hdfs.configuration());
    conf.set("fs.hdfs.impl", "io.hdfsraid.drfs.fs.DistributedRaidFileSystem");
    try (FileSystem raid = FileSystem.newInstance(hdfs.uri(), conf)) {
      return read(raid, path);
    }
  }

  private static byte[] read(FileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  LocatedFile file(String path) throws IOException {
    return cluster.access().namespace().file(path).orElseThrow();
  }

  // The root of the parity

  /** Does nothing where there is none. */
  public void moveRoot() throws IOException {
    boolean done = !hasRoot() || hdfs.fileSystem().rename(ROOT, ELSEWHERE);
    require(done, "move the root away");
  }

  /** Does nothing where it is in its place. */
  public void returnRoot() throws IOException {
    if (isRootAway()) {
      require(hdfs.fileSystem().rename(ELSEWHERE, ROOT), "move the root back");
    }
  }

  public boolean isRootAway() throws IOException {
    return hdfs.fileSystem().exists(ELSEWHERE);
  }

  private boolean hasRoot() throws IOException {
    return hdfs.fileSystem().exists(ROOT);
  }

  /** Does nothing where there is none. */
  public void deleteRoot() throws IOException {
    boolean recursive = true;
    require(!hasRoot() || hdfs.fileSystem().delete(ROOT, recursive), "delete the root");
  }

  private static void require(boolean done, String what) throws IOException {
    if (!done) {
      throw new IOException("HDFS did not " + what);
    }
  }

  /** Has the NameNode say that an external authorizer decides, and the daemon ask it again. */
  public void authorizeExternally(boolean external) {
    hdfs.showNameNodeSetting(
        ExternalAuthorizer.PROVIDER,
        external ? Optional.of("org.example.Authorizer") : Optional.empty());
    clock.setOff(clock.off().plus(AUTHORIZER_KNOWN_FOR));
  }

  /** Parity in service that others than the daemon may read. */
  public List<String> readableParity() throws IOException {
    List<Long> ids = new ArrayList<>();
    cluster.access().parity().forEach(ids::add);
    List<String> readable = new ArrayList<>();
    for (long id : ids) {
      Optional<String> path =
          cluster.access().parity().find(id).map(parity -> parity.file().path());
      if (path.isPresent() && (permission(path.get()) & OTHERS) != 0) {
        readable.add(path.get());
      }
    }
    return readable;
  }

  private int permission(String path) throws IOException {
    return hdfs.fileSystem()
        .getFileStatus(new org.apache.hadoop.fs.Path(path))
        .getPermission()
        .toShort();
  }

  /**
   * Replaces the parity of a file by parity whose second unit of each stripe holds the bytes of the
   * first, and is recorded so: as if it had been computed wrong.
   *
   * @return the inode id of the wrong parity file; empty if there was no parity
   */
  Optional<Long> falsifyParity(long inode) throws IOException {
    ParityStore store = cluster.access().parity();
    Optional<ParityFile> right = store.find(inode);
    Optional<LocatedFile> source = cluster.access().namespace().file(inode);
    if (right.isEmpty() || source.isEmpty()) {
      return Optional.empty();
    }
    List<LocatedBlock> units = right.get().file().blocks();
    byte[] bytes = readPlain(right.get().file().path());
    List<Stripe> stripes = right.get().manifest().stripes();
    List<Stripe> wrong = new ArrayList<>();
    try (ParityDraft draft = store.draft(inode)) {
      int at = 0;
      int unit = 0;
      for (Stripe stripe : stripes) {
        int length = (int) units.get(unit).block().length();
        for (int p = 0; p < stripe.parityCrcs().size(); p++) {
          Optional<DataNode> node = units.get(unit).live().stream().findFirst().map(Replica::node);
          int from = at + (p == 1 ? 0 : p) * length;
          try (UnitOutput out = draft.create(unit++, node, length)) {
            out.write(ByteBuffer.wrap(bytes, from, length));
          }
        }
        List<Integer> crcs = new ArrayList<>(stripe.parityCrcs());
        crcs.set(1, crcs.get(0));
        wrong.add(new Stripe(stripe.data(), crcs));
        at += crcs.size() * length;
      }
      LocatedFile unused = draft.concat(unit);
      draft.describe(recording(right.get().manifest(), wrong), source.get());
      if (!store.quarantine(right.get())) {
        return Optional.empty();
      }
      ParityFile committed = draft.commit();
      store.mark(inode, right.get().phase());
      return Optional.of(committed.file().inode());
    }
  }

  private static Manifest recording(Manifest right, List<Stripe> stripes) {
    return new Manifest(
        right.clusterId(),
        right.blockPool(),
        right.codec(),
        right.layout(),
        right.originalReplication(),
        right.targetReplication(),
        right.parityReplication(),
        right.members(),
        stripes);
  }

  // Raiding

  /** Raids a file and waits until it is audited. */
  public long raid(String path, String codec) throws IOException {
    long inode = file(path).inode();
    jobs.select().raider().raid(inode, new Protection(codec, 1, 1), "test");
    settle(inode, FileState.RAIDED);
    return inode;
  }

  /** Reconciles a file until it has a status. */
  public void settle(long inode, FileState wanted) throws IOException {
    until(
        () -> {
          jobs.upkeep().reconciler().reconcile(inode, "test");
          return record(inode).map(FileRecord::state).filter(wanted::equals).isPresent();
        },
        () -> "inode %d to be %s; it is %s".formatted(inode, wanted, record(inode)));
  }

  public Optional<FileRecord> record(long inode) {
    return catalog.files().find(inode);
  }

  public List<LocatedStripe> stripes(long inode) throws IOException {
    ParityFile parity = cluster.access().parity().find(inode).orElseThrow();
    LocatedFile source = cluster.access().namespace().file(inode).orElseThrow();
    return new StripeLocator(Codecs::parse).locate(parity, Map.of(inode, source));
  }

  /** Describes where the units of a file are, for the NameNode and on the disks. */
  String units(long inode) throws IOException {
    Optional<ParityFile> parity = cluster.access().parity().find(inode);
    Optional<LocatedFile> source = cluster.access().namespace().file(inode);
    if (parity.isEmpty() || source.isEmpty()) {
      return "parity %s of %s".formatted(parity, source);
    }
    return new StripeLocator(Codecs::parse)
        .locate(parity.get(), Map.of(inode, source.get())).stream()
            .flatMap(stripe -> stripe.units().stream())
            .map(
                unit ->
                    "%n%s, on the disks of %s"
                        .formatted(
                            unit,
                            unit.located()
                                .map(located -> hdfs.replicasOnDisk(located.block().id()))))
            .collect(Collectors.joining());
  }

  // Damage and repair

  /** Deletes the one replica of a unit from its disk. */
  public void delete(LocatedStripe stripe, int unit) throws IOException {
    hdfs.deleteReplica(blockOf(stripe, unit), nodeOf(stripe, unit));
  }

  /** Flips bytes of the one replica of a unit on its disk. */
  void corrupt(LocatedStripe stripe, int unit) throws IOException {
    hdfs.corruptReplica(blockOf(stripe, unit), nodeOf(stripe, unit));
  }

  /** Returns the id of the block that a unit is. */
  public static long blockOf(LocatedStripe stripe, int unit) {
    return stripe.unit(unit).located().orElseThrow().block().id();
  }

  int nodeOf(LocatedStripe stripe, int unit) {
    List<Replica> live = stripe.unit(unit).located().orElseThrow().live();
    return hdfs.dataNodeAt(live.get(0).node().address()).index();
  }

  /** Checks and repairs until every stripe of the file is healthy. */
  public void repair(long inode) throws IOException {
    until(
        () -> {
          jobs.detection().stripes().check(inode);
          jobs.repair().job().run(inode, "test", stripe -> {});
          return health(inode).stream()
              .allMatch(stripe -> stripe.state() == StripeHealth.State.HEALTHY);
        },
        () -> "every stripe of inode %d to be healthy: %s".formatted(inode, health(inode)));
  }

  List<StripeHealth> health(long inode) throws IOException {
    return jobs.detection().stripes().check(inode);
  }

  // Waiting

  /** Shorter ones cost more than they gain: to ask is work for the daemon and for HDFS. */
  private static final long PAUSE_MILLIS = 400;

  public interface Condition {
    boolean holds() throws IOException;
  }

  public interface Description {
    String text() throws IOException;
  }

  /**
   * Asks again and again, with a short pause, until it holds; fails after three minutes, for
   * machines that have much else to do.
   */
  public static void until(Condition condition, Description what) throws IOException {
    until(LONGEST, condition, what);
  }

  /** As {@link #until(Condition, Description)}, for what is more work. */
  public static void until(Duration longest, Condition condition, Description what)
      throws IOException {
    long end = System.nanoTime() + longest.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Waited %s for %s".formatted(longest, what.text()));
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
  }

  @Override
  public void close() {
    try {
      stopDaemon();
      hdfs.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
