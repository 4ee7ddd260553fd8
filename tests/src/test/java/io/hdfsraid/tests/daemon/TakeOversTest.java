// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.standby.FailoverRequest;
import io.hdfsraid.tests.recency.AuditLogFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two daemons as processes of their own, of which the active one is killed, frozen or stopped, or
 * told to leave its work to the other, at random moments while it raids. {@code -Dtakeovers=200
 * -Dtakeovers.seed=7} sets how often, and the moments.
 */
@Tag("full")
class TakeOversTest {
  private static final int TAKE_OVERS = Integer.getInteger("takeovers", Fault.values().length);
  private static final long SEED = Long.getLong("takeovers.seed", 22);
  private static final int NODES = 7;
  private static final int BLOCK = 64 << 10;
  private static final int FILES_EACH = 4;
  private static final int MOST_CHANGES = 150;
  private static final Pattern BY = Pattern.compile("callerContext=hdfs-raid-(\\d+)");

  @TempDir private Path folder;
  private ProcessHdfs hdfs;

  private enum Fault {
    KILL,
    FREEZE,
    STOP,
    HAND_OVER
  }

  @Test
  void neverDoTwoDaemonsChangeTheClusterAndNothingIsLost() throws Exception {
    Random random = new Random(SEED);
    List<Double> seconds = new ArrayList<>();
    List<ColdFiles> loaded = new ArrayList<>();
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
      List<DaemonProcess> daemons = new ArrayList<>(List.of(active, standby));
      try {
        for (int i = 0; i < TAKE_OVERS; i++) {
          loaded.add(
              ColdFiles.write(
                  hdfs.fileSystem(), "/warehouse/round" + i, FILES_EACH, BLOCK, FILES_EACH + 2));
          seconds.add(
              takeOver(
                  daemons,
                  Fault.values()[i % Fault.values().length],
                  loaded.size() * FILES_EACH,
                  random));
        }
        awaitRaided(daemons.get(0), TAKE_OVERS * FILES_EACH);
        for (ColdFiles files : loaded) {
          files.assertWhole();
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
    }
  }

  private DaemonProcess launch(String name) throws IOException {
    Path conf = folder.resolve(name).resolve("conf");
    if (!Files.exists(conf)) {
      Path unused =
          new QuietDaemon(conf)
              .with("raiding: {quarantine: 0s}\nrepair: {delay: 0s, retryAfter: 1s}\n");
      Path file = conf.resolve("raidnode.yml");
      Files.writeString(
          file,
          Files.readString(file)
              .replaceFirst("scan: \"[^\"]*\"", "scan: \"0/2 * * * * ?\"")
              .replaceFirst("integrityCheck: \"[^\"]*\"", "integrityCheck: \"1/2 * * * * ?\""));
    }
    return DaemonProcess.launch(conf, Optional.of(hdfs.confDirectory()), Map.of());
  }

  /**
   * Ends the first of the daemons; afterwards it is the last, and stands by.
   *
   * @param files how many there are; when all of them are raided, nothing more changes
   */
  private double takeOver(List<DaemonProcess> daemons, Fault fault, int files, Random random)
      throws Exception {
    DaemonProcess active = daemons.get(0);
    DaemonProcess standby = daemons.get(1);
    long former = standby.starts();
    Until.holds(() -> standby.standbys() > former, standby::output);
    int changes = changes().size() + random.nextInt(MOST_CHANGES);
    Until.holds(
        () -> changes().size() >= changes || raided(active.client()).size() == files,
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
    }
    Until.holds(() -> standby.starts() > former, standby::output);
    final double seconds = (System.nanoTime() - begin) / 1e9;
    DaemonProcess back = active;
    if (fault == Fault.FREEZE) {
      active.thaw();
    }
    if (fault == Fault.FREEZE || fault == Fault.HAND_OVER) {
      Until.holds(() -> active.standbys() > standbys, active::output);
    } else {
      back = launch(active.conf().getParent().getFileName().toString());
    }
    System.out.printf("%s: %.1f s%n", fault, seconds);
    daemons.set(0, standby);
    daemons.set(1, back);
    return seconds;
  }

  private static boolean isActive(DaemonProcess daemon) {
    return daemon.starts() > 0;
  }

  private static List<?> raided(RaidNodeClient client) throws IOException {
    return client.files("/warehouse", Optional.of(FileState.RAIDED), Paging.first(1000)).items();
  }

  private static void awaitRaided(DaemonProcess daemon, int files) throws Exception {
    Until.holds(
        () -> raided(daemon.client()).size() == files, Duration.ofMinutes(10), daemon::output);
    Until.holds(
        () ->
            daemon.client().fsck("/warehouse", Paging.FIRST).summary().worst()
                == HealthState.HEALTHY,
        daemon::output);
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
