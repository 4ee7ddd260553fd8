// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.blockfixer.plan.NodeCost;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.embedded.EmbeddedYarn;
import io.hdfsraid.embedded.HadoopJars;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.config.YarnSettings;
import io.hdfsraid.raidnode.containers.DispatcherTurns;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.repair.RepairSchedule;
import io.hdfsraid.raidnode.repair.StormBreaker;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Progress;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.recency.RecencyOptions;
import io.hdfsraid.recency.index.IndexedFacts;
import io.hdfsraid.rescue.workspace.Workspace;
import io.hdfsraid.yarn.job.StripeJobs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The HDFS of the demo and the parts of the daemon that work on it. */
record DemoCluster(
    EmbeddedHdfs hdfs,
    HdfsCluster connection,
    Catalog catalog,
    JobWiring jobs,
    EventRecorder events) {
  private static final Path NO_KEYTAB = Path.of("");
  private static final int RACKS = 5;

  /** Most of the time the workers wait for the NameNode, which checks replicas once a second. */
  private static final int WORKERS = 8;

  private static final int MOVES = 32;
  private static final int NODE_MANAGERS = 2;
  private static final int CONTAINER_MEGABYTES = 512;
  private static final Duration GATHER = Duration.ofSeconds(2);
  private static final int MOST_UNAUDITED = 1_000_000;
  private static final Duration TRACKED = Duration.ofDays(400);
  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final Duration DELETION_LIMIT = Duration.ofMinutes(1);

  /** Checksums take 1/128 of the data; blocks have headers, directories take some space. */
  private static final double CHECKSUMS = 1.01;

  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/");
  private static final long SPACE_PER_NODE = 256 << 10;

  /**
   * A parity file, and its stripes as HDFS shows them now.
   *
   * @param paths the files that it protects, by inode id
   */
  record ProtectedFiles(ParityFile parity, List<LocatedStripe> stripes, Map<Long, String> paths) {
    /** Returns the first file by path. */
    String path() {
      return paths.values().stream().min(Comparator.naturalOrder()).orElseThrow();
    }

    /** Returns the file that a data unit belongs to; for a parity unit, a file of its stripe. */
    String pathOf(LocatedStripe stripe, int unit) {
      Manifest manifest = parity.manifest();
      List<DataUnit> data = manifest.stripes().get(stripe.index()).data();
      DataUnit block = data.get(Math.min(unit, data.size() - 1));
      return paths.get(manifest.members().get(block.member()).inode());
    }
  }

  /** Work on the HDFS of the demo. */
  interface Work {
    void on(DemoCluster cluster) throws IOException;
  }

  /** Starts an HDFS, and shows how far that is by what appears on its disks. */
  static EmbeddedHdfs start(int dataNodes, long blockSize, Path directory, Console console)
      throws IOException {
    console.step(
        "An HDFS of %d DataNodes on %d racks, blocks of %s"
            .formatted(dataNodes, RACKS, Screen.bytes(blockSize)));
    ScheduledExecutorService observer = Executors.newSingleThreadScheduledExecutor();
    try (Progress progress = console.items("DataNodes started", dataNodes)) {
      long millis = INTERVAL.toMillis();
      var unused =
          observer.scheduleWithFixedDelay(
              () -> progress.stepTo(started(directory)), millis, millis, TimeUnit.MILLISECONDS);
      EmbeddedHdfs hdfs =
          EmbeddedHdfs.builder()
              .dataNodes(dataNodes)
              .racks(RACKS)
              .blockSize(blockSize)
              .directory(directory)
              // Ctrl-C ends the demo in order; Hadoop would close what it still uses.
              .set("fs.automatic.close", "false")
              // What was read is counted when no connection is open; the default is 4 s.
              .set("dfs.datanode.socket.reuse.keepalive", "500")
              .start();
      observer.shutdownNow();
      progress.stepTo(dataNodes);
      return hdfs;
    } finally {
      observer.shutdownNow();
    }
  }

  /** A DataNode writes its version when it has registered at the NameNode. */
  private static long started(Path directory) {
    try (Stream<Path> storages = Files.list(directory.resolve("data"))) {
      return storages.filter(path -> Files.exists(path.resolve("current/VERSION"))).count();
    } catch (IOException e) {
      return 0; // nothing exists yet
    }
  }

  /** Starts a YARN on the HDFS. */
  static EmbeddedYarn startYarn(EmbeddedHdfs hdfs, HadoopJars jars, Path directory, Console console)
      throws IOException {
    console.step(
        "A YARN of a ResourceManager and %d NodeManagers, each a process of its own"
            .formatted(NODE_MANAGERS));
    return EmbeddedYarn.builder(hdfs.fileSystem(), jars, directory)
        .nodeManagers(NODE_MANAGERS)
        .classes(StripeJobs.unpackaged())
        .start();
  }

  /**
   * Connects the parts of the daemon to the HDFS, with the policies of the demo.
   *
   * @param yarn encodes and repairs; empty if this process does
   */
  static void use(
      EmbeddedHdfs hdfs,
      Optional<EmbeddedYarn> yarn,
      Workspace workspace,
      ErasureCodec codec,
      Clock clock,
      Work work)
      throws IOException {
    EventRecorder events = new EventRecorder();
    try (HdfsCluster connection = connect(hdfs, yarn, clock);
        Catalog catalog = Catalog.open(workspace.directory("catalog"), clock);
        // With equal costs of all nodes a repair reads the same bytes in each run.
        JobWiring jobs =
            JobWiring.of(
                connection,
                catalog,
                policies(workspace, codec, clock),
                settings(yarn.isPresent(), clock),
                new JobListeners(events, events),
                clock,
                traffic -> NodeCost.NONE)) {
      DispatcherTurns.during(
          jobs.containers(),
          () -> {
            work.on(new DemoCluster(hdfs, connection, catalog, jobs, events));
            return null;
          });
    }
  }

  private static HdfsCluster connect(EmbeddedHdfs hdfs, Optional<EmbeddedYarn> yarn, Clock clock)
      throws IOException {
    HdfsCluster connection =
        HdfsCluster.connect(
            hdfs.uri(),
            yarn.map(EmbeddedYarn::configuration).orElseGet(hdfs::configuration),
            ParitySettings.defaults(),
            clock);
    if (yarn.isPresent()) {
      YarnSettings usual = YarnSettings.defaults();
      try {
        connection.workInContainers(
            usual.container(NO_KEYTAB).ofMemory(CONTAINER_MEGABYTES),
            usual.limits().gathering(GATHER));
      } catch (IOException | RuntimeException e) {
        connection.close();
        throw e;
      }
    }
    return connection;
  }

  private static Policies policies(Workspace workspace, ErasureCodec codec, Clock clock)
      throws IOException {
    Path file = workspace.file(SettingsFiles.POLICIES);
    Files.writeString(file, resource("policies.yml").replace("${codec}", codec.name()));
    try {
      return SettingsFiles.policies(file, clock);
    } catch (SettingsException e) {
      throw new IllegalStateException(e);
    }
  }

  static String resource(String name) throws IOException {
    try (InputStream in = DemoCluster.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static JobSettings settings(boolean inContainers, Clock clock) {
    JobSettings usual = JobSettings.defaults();
    return new JobSettings(
        usual.root(),
        Tuning.workers(WORKERS, WORKERS, MOVES)
            .in(
                inContainers
                    ? new Tuning.Containers(true, Tuning.Repairs.ALL, 1, Tuning.UNLIMITED)
                    : Tuning.Containers.NONE),
        usual.rowMemory(),
        MOVES,
        usual.auditFilesPerSecond(),
        usual.polling(),
        usual.dataNodeTimeout(),
        usual.repairAttempts(),
        new Pipelines.Limits(MOST_UNAUDITED, Duration.ofDays(1)),
        usual.raidRetryAfter(),
        // No node comes back here, so a repair need not wait for it.
        new RepairSchedule(Duration.ZERO, Duration.ZERO, Integer.MAX_VALUE),
        StormBreaker.Limits.NONE,
        usual.scrub(),
        usual.history(),
        usual.lostParity(),
        RecencyOptions.listing(usual.root(), Optional.of(clock.instant().minus(TRACKED))),
        // All DataNodes run on this machine. Another location of the reader shows what lies near.
        new ReaderLocation(Set.of(), Optional.of("/rack0")));
  }

  /** Returns all files of the index, coldest first. */
  List<FileFacts> files() {
    List<FileFacts> files = new ArrayList<>();
    catalog.namespace().forEach(file -> files.add(IndexedFacts.of(file)));
    files.sort(FileFacts.COLDEST_FIRST);
    return files;
  }

  /** Returns the files that the daemon has worked on, by path. */
  private List<FileRecord> known() {
    List<FileRecord> files = new ArrayList<>();
    catalog.files().all(-1, files::add);
    files.sort(Comparator.comparing(file -> file.facts().path()));
    return files;
  }

  /** Returns the raided files, by path. */
  List<FileRecord> raided() {
    return known().stream().filter(file -> file.state() == FileState.RAIDED).toList();
  }

  /** Returns the id of the parity of a file: its inode id, or the id of its group. */
  long parityId(FileRecord file) {
    return jobs.upkeep().reconciler().parityOf(file.inode());
  }

  /** Returns all parity by path, so that each run of the demo sees it in the same order. */
  List<ProtectedFiles> protectedFiles() throws IOException {
    Map<Long, Map<Long, String>> paths = new TreeMap<>();
    for (FileRecord file : known()) {
      paths
          .computeIfAbsent(parityId(file), id -> new TreeMap<>())
          .put(file.inode(), file.facts().path());
    }
    List<ProtectedFiles> found = new ArrayList<>();
    for (Map.Entry<Long, Map<Long, String>> each : paths.entrySet()) {
      Optional<ParityFile> parity = connection.access().parity().find(each.getKey());
      if (parity.isPresent()) {
        List<LocatedStripe> stripes = jobs.detection().check().locate(parity.get());
        found.add(new ProtectedFiles(parity.get(), stripes, each.getValue()));
      }
    }
    found.sort(Comparator.comparing(ProtectedFiles::path));
    return found;
  }

  /**
   * Returns the bytes that the DataNodes use, as soon as they use no more than the files need at
   * their present replication: excess replicas are deleted with a delay.
   */
  long bytesUsed() throws IOException {
    await(
        "the DataNodes have deleted the excess replicas",
        DELETION_LIMIT,
        () -> {
          long needed = hdfs.fileSystem().getContentSummary(ROOT).getSpaceConsumed();
          long most = (long) (needed * CHECKSUMS) + hdfs.dataNodes().size() * SPACE_PER_NODE;
          long used = hdfs.dfsUsed();
          return needed <= used && used <= most;
        });
    return hdfs.dfsUsed();
  }

  /**
   * Waits for a change of the cluster.
   *
   * @throws ShellException when it has not happened within the limit
   */
  static void await(String what, Duration limit, Polling.Check condition) throws IOException {
    if (!Polling.every(limit, INTERVAL).until(condition)) {
      throw failure("After %d s still not: %s".formatted(limit.toSeconds(), what));
    }
  }

  /** The demo cannot go on, or did not end as it should; the message is shown to the user. */
  static ShellException failure(String message) {
    return new ShellException(ExitCode.IO, message, "");
  }
}
