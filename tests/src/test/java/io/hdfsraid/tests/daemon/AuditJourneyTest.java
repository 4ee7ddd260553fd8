// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.health.StripeReport;
import io.hdfsraid.raidapi.health.UnitReport;
import io.hdfsraid.raidnode.hdfs.HdfsAuditFiles;
import io.hdfsraid.rescue.direct.AuditCommand;
import io.hdfsraid.rescue.direct.Installation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Who changed what, and why, can be read from HDFS alone. */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AuditJourneyTest {
  private static final int BLOCK = 128 << 10;
  private static final org.apache.hadoop.fs.Path AUDIT =
      new org.apache.hadoop.fs.Path("/.raid/audit");

  @TempDir static Path conf;

  private static EmbeddedHdfs hdfs;
  private static InProcessDaemon daemon;

  @BeforeAll
  static void start() throws Exception {
    hdfs = EmbeddedHdfs.builder().dataNodes(6).blockSize(BLOCK).withBlockTokens().start();
    Files.writeString(
        conf.resolve("raidnode.yml"),
        """
        catalog: {directory: catalog}
        schedule: {scan: "0 0 0 1 1 ? 2098", integrityCheck: "0 0 0 1 1 ? 2098", cleanUp: "0 0 0 1 1 ? 2098"}
        recency: {atimeSince: 2020-01-01T00:00:00Z}
        api: {withoutToken: admin}
        server:
          applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          requestLog: {appenders: []}
        """);
    Files.writeString(
        conf.resolve("policies.yml"),
        """
        policies:
          - {name: cold, paths: ["/cold/**"], coldAfter: 0, minAge: 0, codec: rs-3-2}
        """);
    daemon = InProcessDaemon.start(conf, hdfs);
  }

  @AfterAll
  static void stop() throws IOException {
    daemon.close();
    hdfs.close();
  }

  @Test
  @Order(1)
  void requestsAndWhatPoliciesDoAreInFilesThatOnlyTheDaemonMayRead() throws Exception {
    try (var out = hdfs.fileSystem().create(new org.apache.hadoop.fs.Path("/cold/file"))) {
      out.write(new byte[4 * BLOCK]);
    }
    daemon.runJob("scan");
    daemon.awaitState("/cold", 1, FileState.RAIDED);
    daemon.run(0, "unraid", "/cold", "--yes", "--reason", "hot \u2028 again");
    daemon.awaitState("/cold", 1, FileState.LEFT);
    daemon.run(0, "settings", "raiding.workers=3", "--yes");
    daemon.runJob("audit-log");

    assertThat(hdfs.fileSystem().getFileStatus(AUDIT).getPermission())
        .isEqualTo(new FsPermission((short) 0700));
    FileStatus[] files = hdfs.fileSystem().listStatus(AUDIT);
    assertThat(files).hasSize(2);
    for (FileStatus file : files) {
      assertThat(file.getPermission()).isEqualTo(new FsPermission((short) 0600));
    }
    List<String> lines = audit().lines().toList();
    assertThat(lines)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("user=\"policy cold\"", "path=\"/cold/file\"", "outcome=\"ok\"")
                    .contains("before=\"committed, replication 3\""))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains(" POST /api/v1/unraid user=", "known=\"unproven\"", "path=\"/cold\"")
                    .contains("dryRun=\"false\"", "reason=\"hot \\u2028 again\""))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains(" unraiding user=", "request=", "reason=\"hot \\u2028 again\""))
        .anySatisfy(
            line ->
                assertThat(line).contains("PUT /api/v1/settings", "after=\"raiding.workers=3\""));
    assertThat(daemon.run(0, "history", "--event", "unraiding", "--since", "1h").out())
        .contains("reason: hot");
    assertThat(audit("--user", "policy cold", "--path", "/cold/file"))
        .contains("reduced")
        .doesNotContain("user=\"daemon\"");
    assertThat(audit("--until", "1h")).isEmpty();
  }

  @Test
  @Order(2)
  void aLineThatADyingDaemonHasCutHidesNoOther() throws Exception {
    long lines = audit().lines().count();
    for (FileStatus file : hdfs.fileSystem().listStatus(AUDIT)) {
      try (var out = hdfs.fileSystem().append(file.getPath())) {
        out.write("{\"at\":\"2026-".getBytes(StandardCharsets.UTF_8));
      }
    }
    assertThat(audit().lines()).hasSize((int) lines);
  }

  /** What other programs count and list is as without the audit. */
  @Test
  @Order(2)
  void theAuditIsNoForeignFile() throws Exception {
    assertThat(daemon.client().footprint().foreignEntries()).isZero();
    daemon.runJob("clean-up");
    assertThat(hdfs.fileSystem().exists(AUDIT)).isTrue();
  }

  @Test
  @Order(3)
  void whoIsNotTheWriterWritesNothing() {
    Fence closed =
        () -> {
          throw new IOException("another daemon");
        };
    HdfsAuditFiles files = new HdfsAuditFiles(hdfs.fileSystem(), "/.raid", closed);
    byte[] line = "{}\n".getBytes(StandardCharsets.UTF_8);
    String name = "requests-20290101T000000.000Z.jsonl";
    assertThatThrownBy(() -> files.create(name, line)).hasMessage("another daemon");
    assertThatThrownBy(() -> files.append(name, line)).hasMessage("another daemon");
    assertThatThrownBy(() -> files.delete(name)).hasMessage("another daemon");
  }

  @Test
  @Order(4)
  void theAuditGoesWithTheRootAlsoWhereAFileIsLostAndAbandoned() throws Exception {
    String lost = "/cold/lost";
    try (var out = hdfs.fileSystem().create(new org.apache.hadoop.fs.Path(lost))) {
      out.write(new byte[5 * BLOCK]);
    }
    daemon.run(0, "raid", lost, "--yes");
    daemon.awaitState(lost, 1, FileState.RAIDED);
    StripeReport stripe = daemon.client().fsck(lost, Paging.FIRST).files().get(0).details().get(0);
    for (UnitReport unit : stripe.units()) {
      if (List.of(0, 3, 4).contains(unit.unit())) {
        int holder = hdfs.dataNodeAt(unit.node().orElseThrow()).index();
        hdfs.deleteReplica(unit.blockId(), holder);
        hdfs.runDirectoryScanner(holder);
      }
    }
    hdfs.triggerBlockReports();
    daemon.run(4, "repair", lost, "--yes");
    daemon.run(0, "unraid", "--all", "--remove-root", "--yes");
    assertThat(daemon.run(6, "unraid", "--all", "--abandon", "/cold/file").out())
        .contains("It has no parity");
    Until.holds(
        () -> {
          daemon.runJob("reconcile");
          return daemon.ask("unraid", "--all", "--abandon", lost).exitCode() == 0;
        },
        () -> daemon.ask("unraid", "--all", "--abandon", lost).toString());
    assertThat(daemon.run(3, "footprint").out())
        .contains(lost + " has lost 1 blocks", "--abandon " + lost);
    assertThat(
            daemon
                .run(0, "unraid", "--all", "--abandon", lost, "--yes", "--i-know-that-data-is-lost")
                .out())
        .contains("give up 1 of 5 blocks", "Done.");
    daemon.runJob("audit-log");
    Until.holds(
        () -> {
          daemon.runJob("reconcile");
          return !hdfs.fileSystem().exists(new org.apache.hadoop.fs.Path("/.raid"));
        },
        () -> daemon.ask("footprint").toString());
    assertThat(daemon.run(0, "status").out()).doesNotContain("UNRECOVERABLE_STRIPES");
    assertThat(hdfs.fileSystem().getFileStatus(new org.apache.hadoop.fs.Path(lost)))
        .as("nothing of it is deleted")
        .satisfies(file -> assertThat(file.getReplication()).isEqualTo((short) 3))
        .satisfies(file -> assertThat(file.getLen()).isEqualTo(5 * BLOCK));
    daemon.runJob("audit-log");
    assertThat(hdfs.fileSystem().exists(AUDIT)).isFalse();
  }

  private static String audit(String... options) {
    StringWriter out = new StringWriter();
    CommandLine command =
        new CommandLine(new AuditCommand(new Installation(hdfs::configuration, conf)));
    command.setOut(new PrintWriter(out));
    assertThat(command.execute(options)).isZero();
    return out.toString();
  }
}
