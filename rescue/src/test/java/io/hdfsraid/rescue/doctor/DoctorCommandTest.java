// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidshell.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The doctor beside a sound HDFS of five nodes, one of which everything is wrong, and none. */
class DoctorCommandTest {
  private static EmbeddedHdfs hdfs;

  private final StringWriter out = new StringWriter();
  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        EmbeddedHdfs.builder()
            .dataNodes(5)
            .racks(3)
            .withBlockTokens()
            .set("fs.protected.directories", "/.raid")
            .start();
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  /** Stands in for the shell, which has this option. */
  private static CommandSpec shell() {
    return CommandSpec.create()
        .addOption(
            OptionSpec.builder("--json")
                .type(boolean.class)
                .scopeType(CommandLine.ScopeType.INHERIT)
                .build());
  }

  private ExitCode doctor(Configuration conf, String... args) {
    CommandLine shell = new CommandLine(shell()).addSubcommand(new DoctorCommand(() -> conf));
    shell.setOut(new PrintWriter(out));
    String[] line = new String[args.length + 3];
    line[0] = "doctor";
    line[1] = "--conf";
    line[2] = folder.toString();
    System.arraycopy(args, 0, line, 3, args.length);
    int number = shell.execute(line);
    for (ExitCode code : ExitCode.values()) {
      if (code.number() == number) {
        return code;
      }
    }
    throw new AssertionError("No exit code: " + number);
  }

  private ExitCode doctor(String... args) {
    return doctor(hdfs.configuration(), args);
  }

  @Test
  void aSoundClusterIsLookedAtAndNotChanged() throws IOException {
    assertThat(doctor()).as("%s", out).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("is a NameNode, no router")
        .contains("active")
        .contains("has the rights of the superuser")
        .contains("block tokens: on")
        .contains("extended attributes: on, 32 for an inode, 16384 bytes each")
        .contains("access times: recorded to 3600 s")
        .contains("CRC32C")
        .contains("block pinning: off on all of 5 DataNodes asked")
        .contains("/.raid is free to be made")
        .contains("held by nobody")
        .contains("DataNodes: 5 live and in service")
        .contains("racks: 3, of 1 to 2 nodes")
        .contains("storage types: {DISK=5}");
    assertThat(out.toString().lines().map(line -> line.replaceAll(" {2,}", "|")))
        .as("rs-3-2 has two units in a rack at most, and bears two losses")
        .anyMatch(line -> line.startsWith("rs-3-2|YES|5|2|1|2|"))
        .anyMatch(
            line ->
                line.startsWith("rs-6-3|no|9|-|")
                    && line.endsWith(
                        "but 5 are in service; files of at most 2 blocks could be raided"));
    assertThat(hdfs.fileSystem().listStatus(new org.apache.hadoop.fs.Path("/")))
        .as("what the doctor has made")
        .isEmpty();
  }

  @Test
  void whoIsNoSuperuserHearsWhatCouldNotBeSeen() throws Exception {
    ExitCode code =
        UserGroupInformation.createUserForTesting("alice", new String[] {"users"})
            .doAs((PrivilegedExceptionAction<ExitCode>) this::doctor);

    assertThat(code).as("%s", out).isEqualTo(ExitCode.REFUSED);
    assertThat(out.toString())
        .contains("FAIL    superuser: alice is no superuser")
        .contains("UNKNOWN DataNodes: unknown, because")
        .contains("UNKNOWN encryption zones: unknown, because")
        .contains("OK      safe mode: off")
        .contains("OK      access times: recorded to 3600 s");
  }

  @Test
  void aWrongPortOfTheWebIsNamedWithTheSettingToCheck() throws IOException {
    Configuration wrong = new Configuration(hdfs.configuration());
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      wrong.set("dfs.namenode.http-address", "127.0.0.1:" + closed.getLocalPort());
    }

    assertThat(doctor(wrong)).as("%s", out).isEqualTo(ExitCode.FINDINGS);
    assertThat(out.toString())
        .contains(
            "the settings of the NameNode cannot be read at http://"
                + wrong.get("dfs.namenode.http-address"))
        .contains("check dfs.namenode.http-address in the hdfs-site.xml of HADOOP_CONF_DIR");
  }

  @Test
  void programsGetTheSameAsJson() throws IOException {
    assertThat(doctor("--json")).isEqualTo(ExitCode.OK);
    JsonNode checkup = new ObjectMapper().readTree(out.toString());
    assertThat(checkup.get("grade").asText()).isEqualTo("OK");
    assertThat(checkup.get("findings").findValuesAsText("check")).contains("DataNodes", "codecs");
    assertThat(checkup.get("codecs").findValuesAsText("codec")).contains("rs-3-2", "less-12-4");
  }

  @Test
  void aRootInATreeOfSnapshotsAndTheHolderOfTheOwnerFileAreNamed() throws IOException {
    org.apache.hadoop.fs.Path data = new org.apache.hadoop.fs.Path("/data");
    hdfs.fileSystem().mkdirs(data);
    hdfs.fileSystem().allowSnapshot(data);
    hdfs.fileSystem().createSnapshot(data, "s1");
    ParitySettings settings = new ParitySettings("/parity", ParitySettings.AccessRule.INHERIT);
    try (HdfsCluster daemon =
        HdfsCluster.connect(hdfs.uri(), hdfs.configuration(), settings, Clock.systemUTC())) {
      assertThat(doctor("--root", "/data/raid")).isEqualTo(ExitCode.REFUSED);
      assertThat(out.toString())
          .contains("FAIL    root: snapshots: /data allows snapshots")
          .contains("WARN    snapshots: 1 directories have some (/data)");
      assertThat(doctor("--root", "/parity")).isEqualTo(ExitCode.FINDINGS);
      assertThat(out.toString())
          .contains("/parity is ours")
          .contains("owner file: held by " + daemon.holder());
    } finally {
      hdfs.fileSystem().delete(new org.apache.hadoop.fs.Path("/parity"), true);
      hdfs.fileSystem().deleteSnapshot(data, "s1");
      hdfs.fileSystem().disallowSnapshot(data);
      hdfs.fileSystem().delete(data, true);
    }
  }

  @Test
  void aCodecOfAPolicyThatDoesNotFitIsAFailure() throws IOException {
    Files.writeString(folder.resolve("raidnode.yml"), "hdfs: {root: /elsewhere}\n");
    Files.writeString(
        folder.resolve("policies.yml"),
        "policies: [{name: cold, paths: [/**], coldAfter: 90d, codec: rs-5-2}]\n");

    assertThat(doctor()).as("%s", out).isEqualTo(ExitCode.REFUSED);

    assertThat(out.toString())
        .contains("/elsewhere is free to be made")
        .contains("FAIL    codecs: rs-5-2 of [cold] needs 7 nodes, one for each unit, but 5 are");
  }

  @Test
  void everySettingOfHdfsThatForbidsRaidingIsNamedWithWhatToDo() throws IOException {
    try (EmbeddedHdfs hostile =
        EmbeddedHdfs.builder()
            .dataNodes(1)
            .set("dfs.namenode.replication.min", "2")
            .set("dfs.namenode.xattrs.enabled", "false")
            .set("dfs.namenode.accesstime.precision", "0")
            .set("dfs.datanode.block-pinning.enabled", "true")
            .set("dfs.checksum.type", "CRC32")
            .start()) {
      hostile
          .fileSystem()
          .setQuota(new org.apache.hadoop.fs.Path("/"), HdfsConstants.QUOTA_DONT_SET, 1L << 30);
      assertThat(doctor(hostile.configuration())).isEqualTo(ExitCode.REFUSED);
    }
    assertThat(out.toString())
        .contains("FAIL    extended attributes: off", "Set dfs.namenode.xattrs.enabled to true")
        .contains("FAIL    replication: HDFS keeps at least 2", "Set dfs.namenode.replication.min")
        .contains("WARN    access times: off", "Set dfs.namenode.accesstime.precision")
        .contains("WARN    block pinning: on for 1 of 1 DataNodes asked")
        .contains("WARN    checksums: CRC32:", "Set dfs.checksum.type")
        .contains("WARN    root: quota: / may hold 1.0 GiB and holds 0 B")
        .contains("WARN    racks: only one")
        .contains("FAIL    codecs: none fits")
        .contains("Nothing can be raided here until every FAIL is resolved.");
  }

  @Test
  void aViewOfSeveralNameservicesIsNamedWithTheOnesBehindIt() {
    Configuration view = new Configuration();
    view.set("fs.defaultFS", "viewfs://all");
    view.set("dfs.nameservices", "ns1");
    view.set("fs.viewfs.mounttable.all.link./logs", "hdfs://ns2/logs");

    assertThat(doctor(view)).isEqualTo(ExitCode.REFUSED);
    assertThat(out.toString())
        .contains("FAIL    address: fs.defaultFS is viewfs://all, a view of several HDFS")
        .contains("set fs.defaultFS to one of [hdfs://ns1, hdfs://ns2]");
  }
}
