// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidapi.standby.FailoverRequest;
import io.hdfsraid.tests.recency.AuditLogFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two daemons as processes of their own, of which the active one is killed, frozen, stopped, cut
 * off from its NameNode, or told to leave its work to the other, or both begin at once, at random
 * moments while it raids, repairs, lets go and encodes groups again. The clock of one is four
 * minutes ahead. {@code -Dtakeovers=200 -Dtakeovers.seed=7} sets how often, and the moments.
 */
@Tag("full")
class TakeOversTest {
  private static final int TAKE_OVERS = Integer.getInteger("takeovers", Fault.values().length);
  private static final long SEED = Long.getLong("takeovers.seed", 22);

  /** A little less than what makes a daemon doubt its clock, and raid nothing. */
  private static final Duration AHEAD = Duration.ofMinutes(4);

  private static final int NODES = 7;
  private static final int BLOCK = 64 << 10;
  private static final int FILES_EACH = 4;
  private static final int SMALL_FILES_EACH = 5;
  private static final int MOST_CHANGES = 150;
  private static final Pattern BY = Pattern.compile("callerContext=hdfs-raid-(\\d+)");
  private static final Pattern COMMIT =
      Pattern.compile("\tcmd=rename\\b.*\tsrc=/\\.raid/tmp/-?\\d+-(\\d+)-");

  @TempDir private Path folder;
  private final Random random = new Random(SEED);
  private final Map<String, Relay> networks = new HashMap<>();
  private final List<ColdFiles> loaded = new ArrayList<>();
  private final List<ColdFiles> small = new ArrayList<>();

  /** The paths of files that were told to be let go. */
  private final Set<String> letGo = new TreeSet<>();

  /** The daemon that was the active one in each epoch. */
  private final Map<Long, String> reigns = new HashMap<>();

  private ProcessHdfs hdfs;

  private enum Fault {
    KILL,
    FREEZE,
    STOP,
    HAND_OVER,
    /** The active daemon reaches its NameNode no more, and notices only that nothing answers. */
    CUT,
    /** Both are killed, and started at once. */
    BOTH_BEGIN
  }

  @AfterEach
  void closeNetworks() throws IOException {
    for (Relay network : networks.values()) {
      network.close();
    }
  }

  @Test
  void neverDoTwoDaemonsChangeTheClusterAndNothingIsLost() throws Exception {
    List<Double> seconds = new ArrayList<>();
    try (ProcessHdfs started =
        ProcessHdfs.builder()
            .dataNodes(NODES)
            .blockSize(BLOCK)
            .heapMegabytes(96)
            .withAuditLog()
            .set("dfs.namenode.fs-limits.min-block-size", "" + BLOCK)
            .set("hadoop.caller.context.enabled", "true")
            .start()) {
      hdfs = started;
      DaemonProcess active = launch("a");
      Until.holds(() -> isActive(active), active::output);
      DaemonProcess standby = launch("b");
      Until.holds(() -> standby.output().contains("The index was rebuilt"), standby::output);
      List<DaemonProcess> daemons = new ArrayList<>(List.of(active, standby));
      try {
        for (int i = 0; i < TAKE_OVERS; i++) {
          loaded.add(
              ColdFiles.write(
                  hdfs.fileSystem(), "/warehouse/round" + i, FILES_EACH, BLOCK, FILES_EACH + 2));
          small.add(
              ColdFiles.writeSmall(
                  hdfs.fileSystem(), "/warehouse/small" + i, SMALL_FILES_EACH, BLOCK));
          seconds.add(takeOver(daemons, Fault.values()[i % Fault.values().length]));
        }
        DaemonProcess last = daemons.get(0);
        for (String path : letGo) { // some were asked of a daemon that died before it began
          ask(last, path);
        }
        awaitRaided(last);
        for (ColdFiles files : loaded) {
          files.assertWhole();
        }
        for (ColdFiles files : small) {
          files.assertWhole();
        }
        assertHistoryOfBoth(last);
        for (DaemonProcess daemon : daemons) {
          assertThat(daemon.output()).doesNotContain("The namespace was set back");
        }
      } finally {
        daemons.forEach(DaemonProcess::kill);
      }
      Collections.sort(seconds);
      System.out.printf(
          "%d take-overs with seed %d: median %.1f s, longest %.1f s; late changes: %d%n",
          TAKE_OVERS,
          SEED,
          seconds.get(seconds.size() / 2),
          seconds.get(seconds.size() - 1),
          lateChanges().size());
      assertThat(seconds.get(seconds.size() - 1)).as("seconds").isLessThan(60);
      assertThat(lateChanges()).isEmpty();
      assertThat(epochsOfCommits()).isSorted().hasSizeGreaterThan(TAKE_OVERS);
    }
  }

  private void ask(DaemonProcess active, String path) throws IOException {
    assertThat(active.client().unraid(new UnraidRequest(path, false)).outcome())
        .isIn(Outcome.ACCEPTED, Outcome.NOTHING_TO_DO);
  }

  /** Waits for the history of the other daemon, up to its last orderly end. */
  private void assertHistoryOfBoth(DaemonProcess last) throws Exception {
    Until.holds(
        () ->
            last.client().history("/", Paging.first(1000)).items().stream()
                .map(HistoryEntry::epoch)
                .anyMatch(epoch -> !nameOf(last).equals(reigns.getOrDefault(epoch, nameOf(last)))),
        last::output);
  }

  private long epoch() throws IOException {
    return Long.parseLong(
        new String(
            hdfs.fileSystem()
                .getXAttr(new org.apache.hadoop.fs.Path("/.raid/owner"), "user.raid.owner.epoch"),
            StandardCharsets.UTF_8));
  }

  /** Returns the epoch of each commit, in the order in which the NameNode has done them. */
  private List<Long> epochsOfCommits() throws IOException {
    return Files.readAllLines(hdfs.auditLog()).stream()
        .filter(AuditLogFile::isChange)
        .map(COMMIT::matcher)
        .filter(Matcher::find)
        .map(commit -> Long.valueOf(commit.group(1)))
        .toList();
  }

  private DaemonProcess launch(String name) throws IOException {
    Path conf = folder.resolve(name).resolve("conf");
    if (!Files.exists(conf)) {
      Path unused =
          new QuietDaemon(conf)
              .busyWith("raiding: {quarantine: 0s}\nrepair: {delay: 0s, retryAfter: 1s}\n");
    }
    return DaemonProcess.launch(
        conf,
        Optional.of(networkOf(name)),
        name.equals("b") ? WrongClock.environment(folder.resolve(name), AHEAD) : Map.of());
  }

  /** Returns a Hadoop configuration with a NameNode that is reached over a network of its own. */
  private Path networkOf(String name) throws IOException {
    Path own = folder.resolve(name).resolve("hadoop");
    if (!networks.containsKey(name)) {
      Relay network = new Relay(hdfs.uri().getPort());
      networks.put(name, network);
      Files.createDirectories(own);
      for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
        Files.writeString(
            own.resolve(file),
            Files.readString(hdfs.confDirectory().resolve(file))
                .replace(hdfs.uri().getAuthority(), "127.0.0.1:" + network.port()));
      }
    }
    return own;
  }

  private static String nameOf(DaemonProcess daemon) {
    return daemon.conf().getParent().getFileName().toString();
  }

  /**
   * Destroys a block of a file of the round before, has another file of it let go, and deletes a
   * member of a group, so that the others are encoded again.
   */
  private void disturb(DaemonProcess active) throws Exception {
    if (loaded.size() < 2) {
      return;
    }
    List<String> paths = List.copyOf(loaded.get(loaded.size() - 2).paths());
    Until.holds(() -> raided(active.client()).containsAll(paths), active::output);
    hdfs.loseFirstBlock(paths.get(0));
    assertThat(active.client().fsck(paths.get(0), Paging.FIRST).summary().worst())
        .isEqualTo(HealthState.DEGRADED);
    ask(active, paths.get(1));
    letGo.add(paths.get(1));
    ColdFiles group = small.get(small.size() - 2);
    String member = group.paths().iterator().next();
    Until.holds(() -> raided(active.client()).contains(member), active::output);
    group.delete(member);
  }

  private int filesUnderParity() {
    return Stream.concat(loaded.stream(), small.stream())
            .mapToInt(files -> files.paths().size())
            .sum()
        - letGo.size();
  }

  /** Ends the first of the daemons; afterwards it is the last, and stands by. */
  private double takeOver(List<DaemonProcess> daemons, Fault fault) throws Exception {
    DaemonProcess active = daemons.get(0);
    DaemonProcess standby = daemons.get(1);
    long former = standby.starts();
    Until.holds(() -> standby.standbys() > former, standby::output);
    reigns.put(epoch(), nameOf(active));
    if (active.standbys() > 0) {
      String asActive = active.output().substring(active.output().lastIndexOf("RaidNode is ready"));
      assertThat(asActive)
          .as("its index has followed the namespace")
          .doesNotContain("Reading the NameNode's image");
    }
    disturb(active);
    int changes = changes().size() + random.nextInt(MOST_CHANGES);
    Until.holds(
        () -> changes().size() >= changes || raided(active.client()).size() >= filesUnderParity(),
        active::output);

    long standbys = active.standbys();
    long begin = System.nanoTime();
    switch (fault) {
      case KILL -> active.kill();
      case FREEZE -> active.freeze();
      case STOP -> active.close();
      case HAND_OVER ->
          assertThat(active.client().failover(new FailoverRequest(Optional.empty(), false)).begun())
              .isTrue();
      case CUT -> networks.get(nameOf(active)).cut();
      case BOTH_BEGIN -> {
        active.kill();
        standby.kill();
        return bothBegin(daemons, fault);
      }
    }
    Until.holds(() -> standby.starts() > former, standby::output);
    final double seconds = (System.nanoTime() - begin) / 1e9;
    DaemonProcess back = active;
    if (fault == Fault.FREEZE) {
      active.thaw();
    } else if (fault == Fault.CUT) {
      networks.get(nameOf(active)).mend();
    }
    if (fault == Fault.FREEZE || fault == Fault.HAND_OVER || fault == Fault.CUT) {
      Until.holds(() -> active.standbys() > standbys, active::output);
    } else {
      back = launch(nameOf(active));
    }
    System.out.printf("%s: %.1f s%n", fault, seconds);
    daemons.set(0, standby);
    daemons.set(1, back);
    return seconds;
  }

  private double bothBegin(List<DaemonProcess> daemons, Fault fault) throws Exception {
    final long begin = System.nanoTime();
    daemons.set(0, launch("a"));
    daemons.set(1, launch("b"));
    Until.holds(() -> daemons.stream().anyMatch(TakeOversTest::isActive), daemons.get(0)::output);
    final double seconds = (System.nanoTime() - begin) / 1e9;
    daemons.sort(Comparator.comparing(daemon -> !isActive(daemon)));
    Until.holds(() -> daemons.get(1).standbys() > 0, daemons.get(1)::output);
    System.out.printf("%s: %.1f s%n", fault, seconds);
    return seconds;
  }

  private static boolean isActive(DaemonProcess daemon) {
    return daemon.starts() > 0;
  }

  private static Set<String> raided(RaidNodeClient client) throws IOException {
    Set<String> paths = new TreeSet<>();
    Optional<String> next = Optional.empty();
    do {
      Page<FileSummary> page =
          client.files("/warehouse", Optional.of(FileState.RAIDED), new Paging(1000, next));
      page.items().forEach(file -> paths.add(file.path()));
      next = page.next();
    } while (next.isPresent());
    return paths;
  }

  private void awaitRaided(DaemonProcess daemon) throws Exception {
    Until.holds(
        () -> raided(daemon.client()).size() == filesUnderParity(),
        Duration.ofMinutes(10),
        daemon::output);
    for (int i = 0; i < TAKE_OVERS; i++) { // not all at once: fsck looks at 100 files
      for (String directory : List.of("/warehouse/round" + i, "/warehouse/small" + i)) {
        Until.holds(() -> isHealthy(daemon, directory), daemon::output);
      }
    }
  }

  private static boolean isHealthy(DaemonProcess daemon, String directory) throws IOException {
    return daemon.client().fsck(directory, Paging.FIRST).summary().worst() == HealthState.HEALTHY;
  }

  /** Changes by daemons, in order; not those of the owner file, which any of them may try. */
  private List<String> changes() throws IOException {
    return Files.readAllLines(hdfs.auditLog()).stream()
        .filter(AuditLogFile::isChange)
        .filter(line -> BY.matcher(line).find())
        .filter(line -> !line.contains("\tsrc=/.raid/owner\t"))
        .toList();
  }

  /** Changes by a daemon after the first change of its successor, until it is its turn again. */
  private List<String> lateChanges() throws IOException {
    List<String> late = new ArrayList<>();
    String owner = "";
    boolean reigns = false;
    for (String line : Files.readAllLines(hdfs.auditLog())) {
      Matcher by = BY.matcher(line);
      if (!AuditLogFile.isChange(line) || !by.find()) {
        continue;
      }
      boolean ofOwnerFile = line.contains("\tsrc=/.raid/owner\t");
      if (ofOwnerFile && (line.contains("cmd=append") || line.contains("cmd=create"))) {
        owner = by.group(1);
        reigns = false;
      } else if (!ofOwnerFile) {
        if (by.group(1).equals(owner)) {
          reigns = true;
        } else if (reigns) {
          late.add(line);
        }
      }
    }
    return late;
  }
}
