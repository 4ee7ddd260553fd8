// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.embedded.EmbeddedYarn;
import io.hdfsraid.embedded.HadoopJars;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.yarn.job.StripeJobs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job that works for longer than the rights to its blocks last. */
@Tag("full")
class ExpiredTokensJourneyTest {
  private static final int BLOCK = 64 << 10;
  private static final int FILES = 10;

  /** The shortest that HDFS has. */
  private static final String A_MINUTE = "1";

  @Test
  void whatOutlivesItsTokensTheDaemonEncodes(@TempDir Path folder) throws Exception {
    EmbeddedHdfs.Builder builder =
        EmbeddedHdfs.builder()
            .dataNodes(7)
            .racks(4)
            .blockSize(BLOCK)
            .withBlockTokens()
            .set("dfs.block.access.token.lifetime", A_MINUTE)
            .set("dfs.block.access.key.update.interval", A_MINUTE);
    EmbeddedYarn.actForOthers().forEach(builder::set);
    try (EmbeddedHdfs hdfs = builder.start();
        EmbeddedYarn yarn =
            EmbeddedYarn.builder(
                    hdfs.fileSystem(),
                    HadoopJars.of(Path.of("..", "applications", "hadoop", "target", "jars")),
                    folder.resolve("yarn"))
                .classes(StripeJobs.unpackaged())
                .start()) {
      ColdFiles files = ColdFiles.write(hdfs.fileSystem(), "/warehouse", FILES, BLOCK, 3);
      Path conf =
          new QuietDaemon(folder.resolve("conf"))
              .with(
                  """
                  raiding: {engine: yarn}
                  yarn: {memory: 512MiB, containers: 1, gather: 3s, bytesPerSecond: 20kB, patience: 10m}
                  """);
      try (InProcessDaemon daemon = InProcessDaemon.start(conf, hdfs.uri(), yarn.configuration())) {
        daemon.runJob("scan", Duration.ofMinutes(10));
        daemon.awaitState("/warehouse", FILES, FileState.RAIDED);

        List<String> committed =
            daemon.client().history("/warehouse", Paging.FIRST).items().stream()
                .filter(entry -> entry.event().equals("committed"))
                .map(HistoryEntry::detail)
                .toList();
        assertThat(committed)
            .hasSize(FILES)
            .anyMatch(detail -> detail.contains(" in application_"))
            .anyMatch(detail -> !detail.contains(" in application_"));
        assertThat(hdfs.fileSystem().getCorruptBlocksCount())
            .as("replicas that were reported because a token had expired")
            .isZero();
        daemon.run(0, "fsck");
        files.assertWhole();
      }
    }
  }
}
