// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.health.StripeReport;
import io.hdfsraid.raidapi.health.UnitReport;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidshell.command.DirectAccess.Takeover;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.rescue.direct.HdfsDirectAccess;
import io.hdfsraid.rescue.direct.Installation;
import io.hdfsraid.rescue.direct.RecoverCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * What is left to an operator when the RaidNode is down, or cannot help: copying files out, and
 * looking and repairing by the shell alone.
 */
class RescueJourneyTest {
  private static final int BLOCK = 128 << 10;
  private static final String OWNER = "/.raid/owner";
  private static final String PROCESS = "user.raid.owner.process";
  private static final Random RANDOM = new Random(2041);

  @TempDir static Path conf;
  @TempDir Path local;

  private static EmbeddedHdfs hdfs;
  private static Installation installation;
  private static HdfsDirectAccess rescue;

  @BeforeAll
  static void start() throws Exception {
    hdfs = EmbeddedHdfs.builder().dataNodes(10).racks(5).blockSize(BLOCK).withBlockTokens().start();
    Files.writeString(
        conf.resolve("raidnode.yml"),
        """
        catalog: {directory: catalog}
        repair: {delay: 0s, retryAfter: 1s}
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
          - {name: w, paths: ["/w/**"], coldAfter: 90d, minAge: 0, codec: rs-3-2}
        """);
    installation = new Installation(hdfs::configuration, conf);
    rescue = new HdfsDirectAccess(installation, Clock.systemUTC());
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  @Test
  void whatCanBeRebuiltIsCopiedOutAndWhatCannotIsNamed() throws Exception {
    byte[] sound = load("/w/sound", 3 * BLOCK);
    byte[] hopeless = load("/w/hopeless", 6 * BLOCK);
    raid("/w", 2).close();
    StripeReport one = stripes("/w/sound").get(0);
    deleteReplica(one, 1);
    StripeReport first = stripes("/w/hopeless").get(0);
    List.of(0, 2, 4).forEach(unit -> deleteReplica(first, unit));

    Answer whole = recover("/w/sound", local.resolve("sound").toString());
    assertThat(whole.exitCode()).as(whole.toString()).isZero();
    assertThat(whole.out())
        .contains("128.0 KiB of it rebuilt from parity", "3 of 3 blocks are what was recorded");
    assertThat(Files.readAllBytes(local.resolve("sound"))).isEqualTo(sound);

    Path target = local.resolve("hopeless");
    Answer refused = recover("/w/hopeless", target.toString());
    assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(4);
    byte[] withHoles = hopeless.clone();
    for (int unit : List.of(0, 2)) {
      int from = place("/w/hopeless", first, unit);
      assertThat(refused.out())
          .contains("Missing: bytes %d to %d ".formatted(from, from + BLOCK - 1));
      Arrays.fill(withHoles, from, from + BLOCK, (byte) 0);
    }
    assertThat(refused.out()).contains("cannot be read (3 of 5)", "Nothing was written.");
    try (var files = Files.list(local)) {
      assertThat(files).containsExactly(local.resolve("sound"));
    }

    Answer partial = recover("/w/hopeless", target.toString(), "--partial");
    assertThat(partial.exitCode()).as(partial.toString()).isEqualTo(5);
    assertThat(Files.readAllBytes(target)).isEqualTo(withHoles);

    assertThat(recover("/w/sound", target.toString()).exitCode()).as("taken").isEqualTo(6);
    assertThat(Files.readAllBytes(target)).isEqualTo(withHoles);
    assertThat(recover("/w/sound", "hdfs:///copy").exitCode()).isZero();
    assertThat(read("/copy")).isEqualTo(sound);
    assertThat(recover("/w/sound", "hdfs:///copy").exitCode()).isEqualTo(6);
  }

  @Test
  @Tag("full")
  void aBlockWhoseReplicaHoldsOtherBytesIsRebuiltFromUnitsThatDoNot() throws Exception {
    byte[] bytes = load("/x/file", 3 * BLOCK);
    raid("/x", 1).close();
    StripeReport stripe = stripes("/x/file").get(0);
    // Data and checksums of another unit: HDFS reads them without complaint. Parity likewise, and
    // of what is lost nothing can be rebuilt with that.
    copyReplica(stripe, 2, 1);
    copyReplica(stripe, 2, 3);
    assertThat(read("/x/file")).isNotEqualTo(bytes);

    Answer answer = recover("/x/file", local.resolve("file").toString());

    assertThat(answer.exitCode()).as(answer.toString()).isZero();
    assertThat(answer.out())
        .contains("128.0 KiB of it rebuilt from parity", "3 of 3 blocks are what was recorded");
    assertThat(Files.readAllBytes(local.resolve("file"))).isEqualTo(bytes);

    copyReplica(stripe, 2, 0);
    Path target = local.resolve("hopeless");
    Answer refused = recover("/x/file", target.toString());
    assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(4);
    assertThat(refused.out())
        .contains(
            "the copy holds what was read",
            "0 B of it rebuilt",
            "1 of 3 blocks are what was recorded",
            "Nothing was written.");
    Answer partial = recover("/x/file", target.toString(), "--partial");
    assertThat(partial.exitCode()).as(partial.toString()).isEqualTo(5);
    assertThat(Files.readAllBytes(target)).as("better than zeros").isEqualTo(read("/x/file"));
  }

  @Test
  void offlineOneRepairsOnlyWhereNobodyElseDoes() throws Exception {
    byte[] bytes = load("/r/file", 3 * BLOCK);
    byte[] process;
    try (InProcessDaemon daemon = raid("/r", 1)) {
      deleteReplica(stripes("/r/file").get(0), 1);
      process = hdfs.fileSystem().getXAttr(hdfsPath(OWNER), PROCESS);

      refused(Takeover.NEVER, "works on this cluster", "--steal");
      refused(false, Takeover.AFTER_LEASE, "Another RaidNode works on this cluster", "lease");
      planned(Takeover.AFTER_LEASE);
      assertThat(hdfs.fileSystem().getXAttr(hdfsPath(OWNER), PROCESS)).isEqualTo(process);
      assertThat(rescue.fsck("/r", Paging.FIRST).summary().worst())
          .as("looking takes no ownership")
          .isEqualTo(HealthState.DEGRADED);
      assertThat(daemon.run(3, "fsck", "/r").out()).contains("1 degraded");
    }
    if (rescue.fsck("/r", Paging.FIRST).summary().degraded() == 0) {
      // The daemon has repaired what its fsck had found, before it ended.
      deleteReplica(stripes("/r/file").get(0), 1);
    }

    try (FileSystem other = FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
        FSDataOutputStream held = other.append(hdfsPath(OWNER))) {
      assertThat(held.getPos()).as("the owner file, held open").isZero();
      setProcess("elsewhere\nspace\n4711\n1".getBytes(StandardCharsets.UTF_8));
      refused(Takeover.NEVER, "process 4711 on elsewhere", "--steal");
      refused(false, Takeover.AFTER_LEASE, "process 4711 on elsewhere");
      assertThat(rescue.fsck("/r", Paging.FIRST).summary().degraded()).isEqualTo(1);

      // A process of this machine that had our number and began at another time is dead.
      String dead = new String(process, StandardCharsets.UTF_8).replaceFirst("[0-9]+$", "1");
      setProcess(dead.getBytes(StandardCharsets.UTF_8));
      planned(Takeover.NEVER);
      assertThat(hdfs.fileSystem().getXAttr(hdfsPath(OWNER), PROCESS))
          .as("a plan takes nothing over, also not from the dead")
          .isEqualTo(dead.getBytes(StandardCharsets.UTF_8));
      assertThat(rescue.fsck("/r", Paging.FIRST).summary().degraded()).isEqualTo(1);
    }

    ChangePreview done = rescue.repair(RepairRequest.below("/r", false), Takeover.NEVER);
    assertThat(done.outcome()).as(done.toString()).isEqualTo(ChangePreview.Outcome.DONE);
    assertThat(done.task()).as("nobody can look it up").isEmpty();
    assertThat(rescue.fsck("/r", Paging.FIRST).summary().healthy()).isEqualTo(1);
    assertThat(read("/r/file")).isEqualTo(bytes);
    assertThat(hdfs.fileSystem().isFileClosed(hdfsPath(OWNER))).as("given back").isTrue();
    assertThat(lastAudit("requests-"))
        .containsOnlyOnce("\"repair --offline\"")
        .contains("\"user\":", "path=/r", "process ");
    assertThat(lastAudit("actions-"))
        .contains("\"repaired\"", "\"path\":\"/r/file\"", "\"outcome\":\"DONE\"");
  }

  /** Returns the content of the newest file of a series. */
  private static String lastAudit(String series) throws IOException {
    String newest =
        Arrays.stream(hdfs.fileSystem().listStatus(hdfsPath("/.raid/audit")))
            .map(file -> file.getPath().toString())
            .filter(path -> path.contains("/" + series))
            .max(Comparator.naturalOrder())
            .orElseThrow();
    try (var in = hdfs.fileSystem().open(new org.apache.hadoop.fs.Path(newest))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void withoutTheRightsOfASuperuserTheNameNodeAloneIsAskedAndThatIsSaid() throws Exception {
    load("/u/file", 3 * BLOCK);
    raid("/u", 1).close();
    hdfs.fileSystem().mkdirs(hdfsPath("/u/closed"), new FsPermission((short) 0700));

    FsckReport report =
        UserGroupInformation.createUserForTesting("alice", new String[] {"users"})
            .doAs((PrivilegedExceptionAction<FsckReport>) () -> rescue.fsck("/u", Paging.FIRST));

    assertThat(report.summary().healthy()).as(report.toString()).isEqualTo(1);
    assertThat(report.note())
        .contains("Only the NameNode was asked", "1 directories could not be listed");
  }

  private static void planned(Takeover takeover) throws IOException {
    ChangePreview plan = rescue.repair(RepairRequest.below("/r", true), takeover);
    assertThat(plan.outcome()).isEqualTo(ChangePreview.Outcome.PLANNED);
    assertThat(plan.items().get(0).repair().orElseThrow().targets()).hasSize(1);
  }

  private static void refused(Takeover takeover, String... words) {
    refused(true, takeover, words);
    refused(false, takeover, words);
  }

  private static void refused(boolean dryRun, Takeover takeover, String... words) {
    assertThatThrownBy(() -> rescue.repair(RepairRequest.below("/r", dryRun), takeover))
        .isInstanceOfSatisfying(
            ShellException.class,
            e -> {
              assertThat(e.exitCode()).isEqualTo(ExitCode.REFUSED);
              assertThat(e.getMessage() + " " + e.hint()).contains(words);
            });
  }

  private static void setProcess(byte[] process) throws IOException {
    hdfs.fileSystem().setXAttr(hdfsPath(OWNER), PROCESS, process);
  }

  private record Answer(int exitCode, String out) {}

  private static Answer recover(String path, String to, String... more) {
    StringWriter out = new StringWriter();
    CommandLine command = new CommandLine(new RecoverCommand(installation));
    command.setOut(new PrintWriter(out));
    command.setExecutionExceptionHandler(
        (e, line, parsed) -> {
          if (e instanceof ShellException failure) {
            out.write(failure.getMessage());
            return failure.exitCode().number();
          }
          throw e;
        });
    String[] arguments = {path, "--to", to};
    int exitCode = command.execute(concat(arguments, more));
    return new Answer(exitCode, out.toString());
  }

  private static String[] concat(String[] some, String[] more) {
    String[] all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }

  /** The file is gone, and its parity stays for the snapshot. */
  @Test
  @Tag("full")
  void whatOnlyASnapshotHoldsIsCopiedOutThroughItsParity() throws Exception {
    byte[] bytes = load("/s/deleted", 3 * BLOCK);
    raid("/s", 1).close();
    StripeReport stripe = stripes("/s/deleted").get(0);
    hdfs.fileSystem().allowSnapshot(hdfsPath("/s"));
    hdfs.fileSystem().createSnapshot(hdfsPath("/s"), "before");
    assertThat(hdfs.fileSystem().delete(hdfsPath("/s/deleted"), false)).isTrue();
    deleteReplica(stripe, 1);
    copyReplica(stripe, 2, 0);

    Answer answer = recover("/s/.snapshot/before/deleted", local.resolve("deleted").toString());

    assertThat(answer.exitCode()).as(answer.toString()).isZero();
    assertThat(answer.out())
        .contains("256.0 KiB of it rebuilt from parity", "3 of 3 blocks are what was recorded");
    assertThat(Files.readAllBytes(local.resolve("deleted"))).isEqualTo(bytes);
  }

  /** A daemon that has raided all files below a directory, and does nothing by itself. */
  private static InProcessDaemon raid(String directory, int files) throws Exception {
    InProcessDaemon daemon = InProcessDaemon.start(conf, hdfs);
    daemon.runJob("scan");
    daemon.run(0, "raid", directory, "--codec", "rs-3-2", "--yes");
    daemon.awaitState(directory, files, FileState.RAIDED);
    return daemon;
  }

  private static List<StripeReport> stripes(String path) throws IOException {
    FsckReport report = rescue.fsck(path, Paging.FIRST);
    assertThat(report.summary().worst()).isEqualTo(HealthState.HEALTHY);
    return report.files().get(0).details();
  }

  private static UnitReport unit(StripeReport stripe, int unit) {
    return stripe.units().stream().filter(u -> u.unit() == unit).findFirst().orElseThrow();
  }

  private static void deleteReplica(StripeReport stripe, int unit) {
    UnitReport view = unit(stripe, unit);
    try {
      hdfs.deleteReplica(view.blockId(), hdfs.dataNodeAt(view.node().orElseThrow()).index());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The replica of one unit gets the bytes and the checksums of another, which is as long. Its node
   * is started anew, for a DataNode remembers the last checksum of what was written to it.
   */
  private static void copyReplica(StripeReport stripe, int from, int to) throws IOException {
    int node = hdfs.dataNodeAt(unit(stripe, to).node().orElseThrow()).index();
    copyFiles(stripe, from, to);
    hdfs.stopDataNode(node);
    hdfs.restartDataNode(node);
  }

  private static void copyFiles(StripeReport stripe, int from, int to) throws IOException {
    for (boolean checksums : List.of(false, true)) {
      Files.copy(
          file(unit(stripe, from), checksums),
          file(unit(stripe, to), checksums),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static Path file(UnitReport unit, boolean checksums) throws IOException {
    Path data = hdfs.dataFile(unit.blockId(), hdfs.dataNodeAt(unit.node().orElseThrow()).index());
    if (!checksums) {
      return data;
    }
    try (var files = Files.list(data.getParent())) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(data.getFileName() + "_"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Where the block of a unit begins in its file. */
  private static int place(String path, StripeReport stripe, int unit) throws IOException {
    return hdfs
        .fileSystem()
        .getClient()
        .getLocatedBlocks(path, 0, Long.MAX_VALUE)
        .getLocatedBlocks()
        .stream()
        .filter(block -> block.getBlock().getBlockId() == unit(stripe, unit).blockId())
        .mapToInt(block -> (int) block.getStartOffset())
        .findFirst()
        .orElseThrow();
  }

  private static byte[] load(String path, int length) throws IOException {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    try (OutputStream out = hdfs.fileSystem().create(hdfsPath(path))) {
      out.write(bytes);
    }
    return bytes;
  }

  private static byte[] read(String path) throws IOException {
    try (FSDataInputStream in = hdfs.fileSystem().open(hdfsPath(path))) {
      return in.readAllBytes();
    }
  }

  private static org.apache.hadoop.fs.Path hdfsPath(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
