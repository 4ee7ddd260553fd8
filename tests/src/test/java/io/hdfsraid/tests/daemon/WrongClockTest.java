// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.status.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The daemon that takes over has a clock that is ten minutes off: it cannot know how cold a file
 * is, but what is lost cannot wait.
 */
@Tag("full")
class WrongClockTest {
  private static final int BLOCK = 64 << 10;
  private static final int FILES = 4;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {10, -10})
  void itTakesOverAndRepairsButRaidsNothingAndSaysWhy(int minutesAhead) throws Exception {
    try (ProcessHdfs hdfs =
            ProcessHdfs.builder()
                .dataNodes(7)
                .blockSize(BLOCK)
                .heapMegabytes(96)
                .set("dfs.namenode.fs-limits.min-block-size", "" + BLOCK)
                .start();
        DaemonProcess right = launch(hdfs, "right", Duration.ZERO)) {
      ColdFiles raided = write(hdfs, "/warehouse/before");
      Until.holds(() -> right.starts() > 0, right::output);
      Until.holds(() -> raided(right.client()) == FILES, right::output);
      try (DaemonProcess wrong = launch(hdfs, "wrong", Duration.ofMinutes(minutesAhead))) {
        Until.holds(() -> wrong.standbys() > 0, wrong::output);
        right.kill();
        Until.holds(() -> wrong.starts() > 0, wrong::output);
        RaidNodeClient client = wrong.client();
        Until.holds(() -> saysWhy(client), () -> problems(client) + wrong.output());

        ColdFiles waiting = write(hdfs, "/warehouse/since");
        hdfs.loseFirstBlock(raided.paths().iterator().next());
        Until.holds(() -> health(client) == HealthState.DEGRADED, wrong::output);
        Until.holds(() -> health(client) == HealthState.HEALTHY, wrong::output);
        Until.holds(
            () ->
                client.files("/warehouse/since", Optional.empty(), Paging.FIRST).items().size()
                    == FILES,
            wrong::output);
        Instant scanned = lastScan(client);
        Until.holds(() -> !lastScan(client).equals(scanned), wrong::output);
        Instant again = lastScan(client);
        Until.holds(() -> !lastScan(client).equals(again), wrong::output);
        assertThat(raided(client)).as("raided files").isEqualTo(FILES);
        for (ColdFiles files : new ColdFiles[] {raided, waiting}) {
          files.assertWhole();
        }
      }
    }
  }

  private DaemonProcess launch(ProcessHdfs hdfs, String name, Duration ahead) throws IOException {
    Path own = folder.resolve(name);
    Path conf =
        new QuietDaemon(own.resolve("conf"))
            .busyWith("raiding: {quarantine: 0s}\nrepair: {delay: 0s, retryAfter: 1s}\n");
    return DaemonProcess.launch(
        conf,
        Optional.of(hdfs.confDirectory()),
        ahead.isZero() ? Map.of() : WrongClock.environment(own, ahead));
  }

  private static ColdFiles write(ProcessHdfs hdfs, String top) throws IOException {
    return ColdFiles.write(hdfs.fileSystem(), top, FILES, BLOCK, FILES + 2);
  }

  private static int raided(RaidNodeClient client) throws IOException {
    return client.files("/warehouse", Optional.of(FileState.RAIDED), Paging.FIRST).items().size();
  }

  private static String problems(RaidNodeClient client) {
    try {
      return client.status().problems() + "\n";
    } catch (IOException e) {
      return e + "\n";
    }
  }

  private static boolean saysWhy(RaidNodeClient client) throws IOException {
    return client.status().problems().stream()
        .anyMatch(problem -> problem.message().contains("one of them is wrong"));
  }

  private static HealthState health(RaidNodeClient client) throws IOException {
    return client.fsck("/warehouse/before", Paging.FIRST).summary().worst();
  }

  private static Instant lastScan(RaidNodeClient client) throws IOException {
    return client.status().jobs().stream()
        .filter(job -> job.name().equals("scan"))
        .map(Status.JobTimes::lastStart)
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(Instant.MIN);
  }
}
