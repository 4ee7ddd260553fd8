// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.demo.DemoCluster.ProtectedFiles;
import io.hdfsraid.demo.DemoReport.SmallFiles;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.rest.files.JudgedFiles;
import io.hdfsraid.raidnode.select.EvaluationJob;
import io.hdfsraid.raidnode.traffic.Direction;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.TransferTotals;
import io.hdfsraid.raidshell.command.Progress;
import io.hdfsraid.raidshell.command.Screen;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The script of the demo: load, decide, raid, break, read, repair, prove. Each step prints its
 * figures and writes them to the report.
 */
final class Demo {
  /** Any seed will do; the same one breaks the same things. */
  private static final long SEED = 14978;

  private static final Duration RAID_LIMIT = Duration.ofSeconds(90);
  private static final Duration DETECTION_LIMIT = Duration.ofSeconds(30);
  private static final Duration REPAIR_LIMIT = Duration.ofMinutes(2);
  private static final Duration COUNTER_LIMIT = Duration.ofSeconds(15);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);
  private static final int HTTP_TIMEOUT_MILLIS = 30_000;

  private static final Map<DetectionSource, String> SOURCES =
      Map.of(
          DetectionSource.NAMENODE, "the NameNode, whose DataNodes are dead",
          DetectionSource.READ, "a read that failed on it, reported to the NameNode",
          DetectionSource.DATANODE_CHECKSUM,
              "the integrity check, which asks every DataNode for checksums");

  private final ErasureCodec codec;
  private final DemoFiles files;
  private final DemoReport report;
  private final DemoCluster cluster;
  private final Console console;
  private final Instant began;
  private final Clock clock;

  Demo(
      ErasureCodec codec,
      DemoFiles files,
      DemoReport report,
      DemoCluster cluster,
      Console console,
      Instant began,
      Clock clock) {
    this.codec = codec;
    this.files = files;
    this.report = report;
    this.cluster = cluster;
    this.console = console;
    this.began = began;
    this.clock = clock;
  }

  /**
   * Runs all steps on an empty HDFS.
   *
   * @throws io.hdfsraid.raidshell.command.ShellException when the demo does not end well
   */
  void run() throws IOException {
    console.step("Load files as any client does, three copies of each block");
    Map<String, Long> checksums = files.load(cluster.hdfs().fileSystem(), console);
    report.physicalBytesBefore = cluster.bytesUsed();

    console.step("What the policies decide, coldest first");
    decide();

    console.step("Raid with %s, coldest first".formatted(codec.name()));
    raid();
    showRaided();

    console.step("Break things, and tell nobody");
    Damage damage = Damage.plan(cluster.protectedFiles(), codec, cluster.hdfs(), SEED);
    List<RepairForecast> forecasts = damage.forecasts();
    damage.inflict(cluster);
    report.blocksLost = damage.blocks().size();
    damage.show(console);

    console.step("Read every damaged file while it is damaged");
    Set<Long> knownBeforeReads = awaitStoppedNodes(damage);
    List<String> wrong = readDamaged(damage, checksums);

    console.step("Find what is lost, and repair it");
    detect(damage, knownBeforeReads);
    try {
      repair(damage);
    } finally {
      RepairComparison comparison = new RepairComparison(codec, report);
      comparison.compare(forecasts, cluster.events().attempts());
      comparison.show(console);
    }

    if (report.engine.equals("yarn")) {
      showContainers();
    }

    console.step("The proof");
    prove(checksums, wrong);
    console.line(
        "Nothing was lost: %d blocks broken, %d rebuilt, %d files verified, in %.0f s"
            .formatted(
                report.blocksLost,
                report.blocksRepaired,
                report.filesVerified,
                Duration.between(began, clock.instant()).toMillis() / 1000.0));
  }

  private void requireContainers() {
    if (cluster.events().readInContainers(ContainerJobs.Kind.ENCODE) == 0) {
      throw DemoCluster.failure(
          "No container has encoded anything, this process has. YARN says: "
              + cluster.jobs().containers().stream()
                  .flatMap(each -> each.refusal().stream())
                  .map(JobDispatcher.Refusal::why)
                  .findFirst()
                  .orElse("nothing"));
    }
  }

  private void showContainers() {
    report.applications = cluster.events().applications();
    long read = cluster.events().readInContainers(ContainerJobs.Kind.REPAIR);
    report.bytesReadInContainers =
        read + cluster.events().readInContainers(ContainerJobs.Kind.ENCODE);
    console.line(
        "Containers have read %s for repairs; %s have worked. Stripes at risk wait for no container: the daemon repairs them"
            .formatted(Screen.bytes(read), String.join(", ", report.applications)));
  }

  private void decide() throws IOException {
    EvaluationJob.Scanned scanned = cluster.jobs().select().evaluation().scan();
    VerdictTable table = new VerdictTable(clock.instant());
    for (FileFacts file : cluster.files()) {
      table.add(
          file,
          cluster
              .jobs()
              .select()
              .policies()
              .judge()
              .verdict(file, cluster.jobs().select().recency().tracking()));
    }
    table.show(console);
    console.line("%d files, %d to be raided".formatted(scanned.files(), scanned.candidates()));
  }

  private void raid() throws IOException {
    List<FileFacts> candidates = cluster.jobs().select().raid().candidates(policy -> true);
    if (candidates.isEmpty()) {
      throw DemoCluster.failure("None of the files is to be raided: there is nothing to show");
    }
    long bytes = candidates.stream().mapToLong(FileFacts::length).sum();
    try (Progress progress = console.bytes("Encoded", bytes)) {
      cluster.events().reportTo(progress::step);
      cluster.jobs().select().raid().run(policy -> true);
    } finally {
      cluster.events().quiet();
    }
    try (Progress progress =
        console.items("Excess replicas gone, stripes spread, files", candidates.size())) {
      DemoCluster.await(
          "all files are raided",
          RAID_LIMIT,
          () -> {
            int unfinished = cluster.jobs().upkeep().reconciler().run();
            progress.stepTo(cluster.raided().size());
            return unfinished == 0;
          });
    }
    for (FileFacts candidate : candidates) {
      FileRecord now = cluster.catalog().files().find(candidate.inodeId()).orElseThrow();
      if (now.state() != FileState.RAIDED) {
        throw DemoCluster.failure(
            "%s is %s, not raided: %s"
                .formatted(candidate.path(), now.state().tag(), now.progress().detail()));
      }
    }
    report.physicalBytesAfter = cluster.bytesUsed();
    report.effectiveReplication = (double) report.physicalBytesAfter / report.logicalBytes;
    report.filesRaided = cluster.raided().size();
    report.filesLeft = new TreeMap<>();
    JudgedFiles judged =
        new JudgedFiles(
            cluster.catalog(),
            cluster.jobs().select().policies(),
            cluster.jobs().select().recency(),
            clock);
    for (FileFacts file : cluster.files()) {
      judged
          .find(file.inodeId())
          .filter(now -> now.state() == FileState.LEFT)
          .flatMap(now -> now.progress().reason())
          .ifPresent(reason -> report.filesLeft.merge(reason.name(), 1, Integer::sum));
    }
    report.unitsMoved = cluster.events().unitsMoved();
  }

  private static long length(List<FileRecord> raided) {
    return raided.stream().mapToLong(file -> file.facts().length()).sum();
  }

  private static long onDiskBefore(FileRecord file) {
    return file.facts().length() * file.parity().orElseThrow().originalReplication();
  }

  private static long onDisk(FileRecord file) {
    Parity parity = file.parity().orElseThrow();
    return file.facts().length() * parity.targetReplication()
        + parity.bytes() * parity.parityReplication();
  }

  private static long onDisk(List<FileRecord> raided) {
    return raided.stream().mapToLong(Demo::onDisk).sum();
  }

  private void showRaided() {
    Map<Boolean, List<FileRecord>> byGrouped =
        cluster.raided().stream()
            .collect(Collectors.partitioningBy(file -> cluster.parityId(file) != file.inode()));
    List<List<String>> rows = new ArrayList<>();
    for (FileRecord file : byGrouped.get(false)) {
      Parity parity = file.parity().orElseThrow();
      long length = file.facts().length();
      rows.add(
          List.of(
              file.facts().path(),
              Integer.toString(parity.stripes()),
              Screen.bytes(length),
              Screen.bytes(parity.bytes()),
              Screen.bytes(onDiskBefore(file)),
              Screen.bytes(onDisk(file)),
              "%.2f".formatted((double) onDisk(file) / length)));
    }
    console.table(
        List.of("RAIDED FILE", "STRIPES", "DATA", "PARITY", "BEFORE", "ON DISK", "COPIES"), rows);

    List<FileRecord> small = byGrouped.get(true);
    int groups = (int) small.stream().mapToLong(cluster::parityId).distinct().count();
    report.smallFiles =
        new SmallFiles(
            small.size(),
            groups,
            length(small),
            small.stream().mapToLong(Demo::onDiskBefore).sum(),
            onDisk(small),
            small.isEmpty() ? null : (double) onDisk(small) / length(small));
    if (!small.isEmpty()) {
      console.line(
          ("And %d small files share the parity of %s: %s of data took %s on disk and take %s now,"
                  + " %.2f copies of each byte")
              .formatted(
                  small.size(),
                  groups == 1 ? "one group" : groups + " groups",
                  Screen.bytes(report.smallFiles.bytes()),
                  Screen.bytes(report.smallFiles.bytesOnDiskBefore()),
                  Screen.bytes(report.smallFiles.bytesOnDiskAfter()),
                  report.smallFiles.effectiveReplication()));
    }
    List<FileRecord> raided = cluster.raided();
    report.effectiveReplicationRaided = (double) onDisk(raided) / length(raided);
    console.line(
        ("On the DataNodes' disks: %s before, %s now; %.2f copies of each byte, %.2f of the raided"
                + " ones")
            .formatted(
                Screen.bytes(report.physicalBytesBefore),
                Screen.bytes(report.physicalBytesAfter),
                report.effectiveReplication,
                report.effectiveReplicationRaided));
    if (report.engine.equals("yarn")) {
      requireContainers();
      console.line(
          "Containers of %s have read %s, each block once, and written the parity; the daemon read %s"
              .formatted(
                  String.join(", ", cluster.events().applications()),
                  Screen.bytes(cluster.events().readInContainers(ContainerJobs.Kind.ENCODE)),
                  Screen.bytes(transferred(Direction.READ, Set.of(Distance.values())))));
      return;
    }
    console.line(
        "For it we read %s in our rack and %s in others, each block once; parity written: %s"
            .formatted(
                Screen.bytes(transferred(Direction.READ, Set.of(Distance.SAME_RACK))),
                Screen.bytes(transferred(Direction.READ, Set.of(Distance.OFF_RACK))),
                Screen.bytes(
                    transferred(
                        Direction.WRITTEN, Set.of(Distance.SAME_RACK, Distance.OFF_RACK)))));
  }

  private long transferred(Direction direction, Set<Distance> distances) {
    return cluster.jobs().tuning().traffic().totals().totals().stream()
        .filter(total -> total.purpose() == Purpose.RAIDING && total.direction() == direction)
        .filter(total -> distances.contains(total.distance()))
        .mapToLong(TransferTotals.Total::bytes)
        .sum();
  }

  /**
   * Waits until the NameNode lists the blocks of the stopped DataNodes as lost, for which it needs
   * no read. A block that it lists only after the reads was reported by a reader.
   *
   * @return the blocks that it lists
   */
  private Set<Long> awaitStoppedNodes(Damage damage) throws IOException {
    Set<Long> onStopped =
        damage.losses().stream()
            .filter(loss -> loss.way() == Damage.Way.NODE_STOPPED)
            .map(Damage.Loss::block)
            .collect(Collectors.toSet());
    Set<Long> listed = new HashSet<>();
    DemoCluster.await(
        "the NameNode lists the blocks of its dead DataNodes as lost",
        DETECTION_LIMIT,
        () -> {
          for (String path : cluster.connection().losses().files().keySet()) {
            cluster.connection().access().namespace().file(path).stream()
                .flatMap(file -> file.blocks().stream())
                .filter(LocatedBlock::isLost)
                .forEach(block -> listed.add(block.block().id()));
          }
          return listed.containsAll(onStopped);
        });
    return listed;
  }

  /** Reads as an application does that has DRFS as its file system. */
  private List<String> readDamaged(Damage damage, Map<String, Long> checksums) throws IOException {
    List<String> wrong = new ArrayList<>();
    Map<String, Long> damaged = new LinkedHashMap<>(checksums);
    damaged.keySet().retainAll(damage.paths());
    long bytes =
        files.files().stream()
            .filter(file -> damaged.containsKey(file.path()))
            .mapToLong(DemoFiles.DemoFile::length)
            .sum();
    report.filesReadDegraded = 0;
    try (DistributedRaidFileSystem drfs = new DistributedRaidFileSystem()) {
      drfs.initialize(cluster.hdfs().uri(), cluster.hdfs().configuration());
      try (Progress progress = console.bytes("Read through DRFS", bytes)) {
        damaged.forEach(
            (path, checksum) -> {
              long before = drfs.degradedReads().count();
              wrong.addAll(DemoFiles.wrong(drfs, Map.of(path, checksum), progress));
              report.filesReadDegraded += drfs.degradedReads().count() > before ? 1 : 0;
            });
      }
      console.line(
          "%d files, %d with lost blocks: %s were rebuilt on the way from %s of their stripes; %d wrong"
              .formatted(
                  damaged.size(),
                  report.filesReadDegraded,
                  Screen.bytes(drfs.degradedReads().bytes()),
                  Screen.bytes(drfs.degradedReads().bytesRead()),
                  wrong.size()));
    }
    wrong.forEach(console::line);
    report.filesDamaged = countPaths(wrong);
    return wrong;
  }

  /** Runs the integrity check, and shows who noticed the loss of each block first. */
  private void detect(Damage damage, Set<Long> knownBeforeReads) throws IOException {
    cluster.jobs().detection().integrity().runAsking();
    report.detectedBy = new TreeMap<>();
    cluster
        .events()
        .detections()
        .forEach(
            (block, found) -> {
              boolean read = found == DetectionSource.NAMENODE && !knownBeforeReads.contains(block);
              DetectionSource first = read ? DetectionSource.READ : found;
              if (damage.blocks().contains(block)) {
                report.detectedBy.merge(first.name(), 1, Integer::sum);
              }
            });
    List<List<String>> rows = new ArrayList<>();
    report.detectedBy.forEach(
        (source, blocks) ->
            rows.add(
                List.of(source, blocks.toString(), SOURCES.get(DetectionSource.valueOf(source)))));
    console.table(List.of("NOTICED BY", "BLOCKS", "THAT IS"), rows);
  }

  /**
   * Returns what DataNodes have sent. They count a read when it ends, which can be long after its
   * reader has all bytes: not before its connection is idle or closed.
   */
  private long settledBytesRead() throws IOException {
    boolean unused =
        Polling.every(COUNTER_LIMIT, BETWEEN_LOOKS)
            .until(() -> cluster.hdfs().openConnections() == 0);
    return cluster.hdfs().bytesRead();
  }

  /** Lets the jobs of the daemon check and repair until nothing is left to do. */
  private void repair(Damage damage) throws IOException {
    long sentBefore = settledBytesRead();
    try (Progress progress = console.bytes("Rebuilt", damage.bytes())) {
      cluster.events().reportTo(progress::step);
      boolean whole =
          Polling.every(REPAIR_LIMIT, BETWEEN_LOOKS)
              .until(
                  () -> {
                    cluster.jobs().repair().job().run();
                    cluster.jobs().repair().job().spreadCrowded();
                    cluster.jobs().detection().integrity().runAsking();
                    return openRepairs().isEmpty() && crowded().isEmpty();
                  });
      if (!whole) {
        List<String> left = new ArrayList<>();
        openRepairs()
            .forEach(
                r ->
                    left.add(
                        "%s, units %s, %s %s"
                            .formatted(r.path(), r.lost(), r.status(), r.reason())));
        left.addAll(crowded());
        throw DemoCluster.failure(
            "After %d s not everything is repaired: %s"
                .formatted(REPAIR_LIMIT.toSeconds(), String.join("; ", left)));
      }
    } finally {
      cluster.events().quiet();
      report.bytesSentForRepair = settledBytesRead() - sentBefore;
      report.blocksRepaired = cluster.events().blocksRepaired();
      report.unitsMovedDuringRepair = cluster.events().unitsMoved() - report.unitsMoved;
      report.unitsMoved = cluster.events().unitsMoved();
    }
  }

  private List<RepairState> openRepairs() {
    return cluster.catalog().repairs().list(Optional.empty(), 1_000);
  }

  /** Asks a plain client, the NameNode and the DataNodes whether all is well. */
  private void prove(Map<String, Long> checksums, List<String> wrongBefore) throws IOException {
    List<String> wrong;
    try (Progress progress = console.bytes("Read by a plain client", files.bytes())) {
      wrong = DemoFiles.wrong(cluster.hdfs().fileSystem(), checksums, progress);
    }
    List<String> faults = new ArrayList<>(wrongBefore);
    faults.addAll(wrong);
    report.filesVerified = checksums.size() - wrong.size();
    report.filesDamaged = countPaths(faults);
    report.notProven = new ArrayList<>();
    claim("Every file has the bytes that were loaded", wrong);
    claim("The NameNode's fsck says HEALTHY", fsck());
    claim("Every stripe has all its units, say NameNode and DataNodes", unhealthy());
    claim("No two units of a stripe lie on one DataNode", crowded());
    if (!faults.isEmpty()) {
      throw DemoCluster.failure("Bytes are wrong: " + String.join("; ", faults));
    }
    if (!report.notProven.isEmpty()) {
      throw DemoCluster.failure(
          "It did not end as it should: " + String.join("; ", report.notProven));
    }
  }

  private void claim(String claim, List<String> against) {
    console.line((against.isEmpty() ? "[ok]   " : "[FAIL] ") + claim);
    against.forEach(fault -> console.line("       " + fault));
    if (!against.isEmpty()) {
      report.notProven.add("Not true: %s (%s)".formatted(claim, String.join("; ", against)));
    }
  }

  /** Returns the number of files that the faults are about; each fault begins with a path. */
  private static int countPaths(List<String> faults) {
    return (int) faults.stream().map(fault -> fault.split(" ", 2)[0]).distinct().count();
  }

  /** Returns the first complaint of the NameNode's own fsck. */
  private List<String> fsck() throws IOException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    String query = "/fsck?path=%2F&ugi=" + URLEncoder.encode(user, StandardCharsets.UTF_8);
    URLConnection connection =
        URI.create(cluster.hdfs().httpUri() + query).toURL().openConnection();
    connection.setConnectTimeout(HTTP_TIMEOUT_MILLIS);
    connection.setReadTimeout(HTTP_TIMEOUT_MILLIS);
    try (InputStream in = connection.getInputStream()) {
      String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return answer.contains("is HEALTHY")
          ? List.of()
          : List.of(answer.lines().filter(l -> l.contains("blk_")).findFirst().orElse(answer));
    }
  }

  /** Returns the stripes that lack units, according to the NameNode and the DataNodes. */
  private List<String> unhealthy() throws IOException {
    List<String> unhealthy = new ArrayList<>();
    for (ProtectedFiles file : cluster.protectedFiles()) {
      for (StripeHealth health : cluster.jobs().detection().check().check(file.parity())) {
        if (health.state() != StripeHealth.State.HEALTHY) {
          unhealthy.add(file.path() + ": " + health.message());
        }
      }
    }
    return unhealthy;
  }

  /** Returns the stripes of which two units lie on one DataNode. */
  private List<String> crowded() throws IOException {
    List<String> crowded = new ArrayList<>();
    for (ProtectedFiles file : cluster.protectedFiles()) {
      for (LocatedStripe stripe : file.stripes()) {
        List<Replica> replicas =
            stripe.units().stream()
                .flatMap(unit -> unit.located().stream())
                .flatMap(block -> block.live().stream())
                .toList();
        long nodes = replicas.stream().map(Replica::node).distinct().count();
        if (nodes < replicas.size()) {
          crowded.add(
              "%s: %s has %d units on %d nodes"
                  .formatted(file.path(), stripe, replicas.size(), nodes));
        }
      }
    }
    return crowded;
  }
}
