// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.FsckRequest;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.health.StripeReport;
import io.hdfsraid.raidapi.health.UnitReport;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidapi.scrub.ScrubRequest;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidnode.HdfsWiring;
import io.hdfsraid.raidnode.RaidNode;
import io.hdfsraid.raidnode.RunningRaidNode;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.access.TokensFile;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.schedule.JobReport;
import io.hdfsraid.tests.daemon.Shell.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sees and does with the shell, from the first look to a loss too many. */
class ShellJourneyTest {
  /** As the history lists who is on this machine and has no token. */
  private static final String ME = System.getProperty("user.name") + " (unproven)";

  private static final int BLOCK = 128 << 10;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir static Path conf;

  private static EmbeddedHdfs hdfs;
  private static RunningRaidNode node;
  private static Shell shell;
  private static RaidNodeClient client;
  private static final Random RANDOM = new Random(2037);

  @BeforeAll
  static void start() throws Exception {
    hdfs = EmbeddedHdfs.builder().dataNodes(10).racks(5).blockSize(BLOCK).withBlockTokens().start();
    // Nothing happens by itself but what has begun: each test asks for what it wants.
    Files.writeString(
        conf.resolve("raidnode.yml"),
        """
        catalog: {directory: catalog}
        raiding: {quarantine: 0s}
        repair: {delay: 0s, retryAfter: 1s}
        schedule: {scan: "0 0 0 1 1 ? 2098", integrityCheck: "0 0 0 1 1 ? 2098", cleanUp: "0 0 0 1 1 ? 2098"}
        recency: {atimeSince: 2020-01-01T00:00:00Z}
        api: {withoutToken: admin, tokensFile: tokens.json}
        server:
          applicationConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          adminConnectors: [{type: http, bindHost: 127.0.0.1, port: 0}]
          requestLog: {appenders: []}
        """);
    Files.writeString(
        conf.resolve("policies.yml"),
        """
        policies:
          - {name: warehouse, paths: ["/warehouse/**"], coldAfter: 90d, minAge: 0, codec: rs-3-2}
        """);
    node =
        RaidNode.start(
            SettingsFiles.read(conf.resolve("raidnode.yml"), Clock.systemUTC()),
            new HdfsWiring(ShellJourneyTest::connect),
            Clock.systemUTC());
    shell = new Shell(node.address());
    client = RaidNodeClient.at(node.address());
  }

  private static HdfsCluster connect(ParitySettings settings, Clock clock) throws IOException {
    return HdfsCluster.connect(hdfs.uri(), hdfs.configuration(), settings, clock);
  }

  @AfterAll
  static void stop() throws IOException {
    node.close();
    hdfs.close();
  }

  @Test
  void fromTheFirstLookToParityAndBack() throws Exception {
    String path = "/warehouse/sales/2024.orc";
    byte[] bytes = load(path, 7 * BLOCK + 99);
    scan();

    Answer status = run(0, "status");
    assertThat(status.out()).contains("RaidNode", hdfs.uri().toString(), "HELD", "No problems.");
    assertThat(run(0, "daemons").row("ACTIVE")).contains("on", "1");
    Answer policies = run(0, "policies");
    assertThat(policies.row("warehouse")).contains("rs-3-2");
    assertThat(run(0, "files", "/warehouse/sales").row(path)).contains("LEFT", "STILL_WARM");
    assertThat(run(0, "explain", path).out())
        .contains("STILL_WARM", "warehouse", "This changes by itself at")
        .contains("Last used ", "storage policy: HOT", "snapshots: none");
    assertThat(run(0, "plan").out())
        .contains("warehouse may act now, at 100 %", "SKIPPED BECAUSE", "STILL_WARM");
    assertThat(run(2, "plan", "--policy", "banana").err()).contains("There is no policy banana");
    assertThat(run(0, "histogram", "--path", "/warehouse/sales").out())
        .contains("1 files below /warehouse/sales");

    List<String> before = parityAndDrafts();
    Answer plan = run(0, "raid", path);
    assertThat(plan.out())
        .contains(path, "rs-3-2", "Nothing was changed. To carry it out, add --yes.");
    assertThat(json(new TypeReference<ChangePreview>() {}, 0, "raid", path).outcome())
        .isEqualTo(ChangePreview.Outcome.PLANNED);
    post("raid", "{\"path\": \"" + path + "\", \"codec\": \"rs-3-2\"}");
    assertThat(replication(path)).isEqualTo(3);
    assertThat(parityAndDrafts()).isEqualTo(before);

    assertThat(run(0, "raid", path, "--yes").out()).contains("Queued as task ");
    awaitState(path, FileState.RAIDED);
    assertThat(replication(path)).isEqualTo(1);
    assertThat(run(0, "files", path).row(path)).contains("RAIDED", "rs-3-2", "1");
    assertThat(run(0, "fsck", path).out())
        .contains("healthy, all 3 stripes are whole, rs-3-2 tolerates 2 more", "Status: HEALTHY");
    assertThat(run(0, "placement", path).out())
        .contains("3 stripes below " + path, "0 share a node");
    assertThat(run(0, "history", path).row(path)).contains("raided", "ok");
    assertThat(json(new TypeReference<Page<HistoryEntry>>() {}, 0, "history", path).items())
        .extracting(HistoryEntry::by)
        .contains(ME);
    assertThat(run(6, "raid", path, "--yes").out())
        .contains("ALREADY_RAIDED", "Refused; nothing was changed.");

    assertThat(run(0, "unraid", path).out())
        .contains("Raise the replication from 1 to 3", "add --yes");
    assertThat(replication(path)).isEqualTo(1);
    run(0, "unraid", path, "--yes");
    awaitState(path, FileState.LEFT);
    assertThat(replication(path)).isEqualTo(3);
    Until.holds(() -> replicas(path) == 3 * 8, () -> "3 live replicas of each block");
    assertThat(run(0, "unraid", path).out()).contains("There is nothing to do.");
    assertThat(read(path)).isEqualTo(bytes);
  }

  @Test
  void aLostReplicaIsFoundPlannedAndRepaired() throws Exception {
    String path = "/warehouse/lost/file";
    byte[] bytes = raided(path, 3 * BLOCK);
    StripeReport stripe = stripes(path).get(0);
    deleteReplica(stripe, 1);

    long inode = hdfs.fileSystem().getClient().getFileInfo(path).getFileId();
    String name = inode + "/0";
    assertThat(run(0, "repair", "/warehouse/lost").out())
        .contains(path, "stripe " + name + " lost [1]: read ", ", write 1:", "add --yes");
    assertThat(run(0, "repair", "--stripe", name).out()).contains(path, ", write 1:");
    assertThat(run(2, "repair", "--stripe", inode + "/1").err()).contains("no stripe " + inode);
    assertThat(run(0, "repairs").out()).as("planned only").doesNotContain(path);
    assertThat(run(6, "repair", "cancel", "--stripe", name).out())
        .contains("is not in the repair queue");
    assertThat(run(0, "repair", "cancel", "--all").out()).contains("There is nothing to do.");
    post("repair", "{\"path\": \"/warehouse/lost\"}");
    // What was only planned is not carried out behind the operator's back.
    reconcile();
    assertThat(run(3, "fsck", "/warehouse/lost").out())
        .contains(path, "degraded in 1 of 1 stripes, rs-3-2 tolerates 1 more", "1 of 5 [1]")
        .contains("0 healthy, 1 degraded, 0 unrecoverable", "Status: DEGRADED");

    // What fsck has found waits for its repair, which may have begun.
    assertThat(run(0, "repair", "/warehouse/lost", "--yes").out())
        .containsAnyOf("Queued as task ", "There is nothing to do.");
    // What is whole again is written down a moment later.
    Until.holds(
        () ->
            shell.run("fsck", path).exitCode() == 0
                && shell.run("history", path).out().contains("repaired"),
        () -> shell.run("fsck", path).toString() + shell.run("history", path));
    // By the operator, unless the daemon came first, which had found the loss by itself.
    assertThat(run(0, "history", path).row("repaired"))
        .contains("ok", path)
        .containsAnyOf("(unproven)", "job");
    assertThat(run(0, "repair", path).out()).contains("There is nothing to do.");
    assertThat(read(path)).isEqualTo(bytes);
  }

  @Test
  @Tag("full")
  void longWorkIsATaskThatIsFollowedCancelledAndNotStartedTwice() throws Exception {
    String folder = "/warehouse/tasks";
    long bytes = 0;
    for (String name : List.of("a", "b", "c")) {
      bytes += load(folder + "/" + name, 3 * BLOCK + 11).length;
    }
    scan();
    RaidRequest raid = new RaidRequest(folder, false, Optional.of("rs-3-2"), Optional.empty());
    RaidNodeClient once = client.withReason("it is cold").withIdempotencyKey("raid-tasks");

    String id = once.raid(raid).task().orElseThrow();
    assertThat(once.raid(raid).task()).as("sent twice").contains(id);
    Answer followed = run(0, "task", id, "--wait");
    assertThat(followed.out()).contains("Task " + id, "DONE, 100.0 %, 3 of 3 steps", "it is cold");
    TaskReport done = client.task(id);
    assertThat(done.state()).isEqualTo(TaskState.DONE);
    assertThat(done.by()).isEqualTo(ME);
    assertThat(done.progress().bytesDone()).isEqualTo(bytes);
    assertThat(done.progress().bytes()).isEqualTo(bytes);
    assertThat(done.change().orElseThrow().files()).isEqualTo(3);
    assertThat(run(0, "tasks", "--state", "done").row(id)).contains("RAID", folder);
    for (String name : List.of("a", "b", "c")) {
      awaitState(folder + "/" + name, FileState.RAIDED);
    }

    HttpResponse<String> refused =
        HTTP.send(
            HttpRequest.newBuilder(node.address().resolve("/api/v1/raid"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"path\": \"" + folder + "\", \"dryRun\": false}"))
                .build(),
            BodyHandlers.ofString());
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
    assertThat(refused.body()).contains("\"code\":\"REFUSED\"", "ALREADY_RAIDED", "all 3 files");

    TaskReport check = client.fsck(new FsckRequest(folder, null, Optional.empty()));
    run(0, "task", check.id(), "--wait");
    assertThat(client.task(check.id()).fsck().orElseThrow().summary().healthy()).isEqualTo(3);

    cancelAScrub(folder);
    run(0, "unraid", folder, "--yes", "--wait");
  }

  @Test
  void aFileThatCameAfterTheLastScanIsListedAsWhatARequestMadeOfIt() throws Exception {
    scan();
    String path = "/warehouse/newcomer/a";
    load(path, 3 * BLOCK + 11);

    run(0, "raid", path, "--codec", "rs-3-2", "--yes", "--wait");
    awaitState(path, FileState.RAIDED);
    Until.holds(
        () ->
            client.files("/warehouse/newcomer", Optional.empty(), Paging.FIRST).items().stream()
                .map(FileSummary::state)
                .toList()
                .equals(List.of(FileState.RAIDED)),
        () -> run(0, "files", "/warehouse/newcomer").out());
  }

  private static void cancelAScrub(String folder) throws Exception {
    // So slow that it is still at the first file when it is cancelled.
    run(0, "settings", "scrub.bytesPerSecond=10KB", "--yes");
    try {
      String id = client.scrub(new ScrubRequest(folder, true, false)).task().orElseThrow();
      Until.holds(
          () -> client.task(id).state() == TaskState.RUNNING, () -> "the scrub runs, task " + id);
      assertThat(run(0, "tasks", "cancel", id).out()).contains("Interrupt task " + id, "add --yes");
      assertThat(client.task(id).state()).isEqualTo(TaskState.RUNNING);
      run(0, "tasks", "cancel", id, "--yes");
      assertThat(run(5, "task", id, "--wait").out()).contains("CANCELLED", "Cancelled by " + ME);
    } finally {
      run(0, "settings", "scrub.bytesPerSecond=50MB", "--yes");
    }
  }

  @Test
  @Tag("full")
  void theLongestPathOfHdfsWorks() throws Exception {
    // HDFS allows 8,000 characters, and 255 bytes in a name.
    StringBuilder path = new StringBuilder();
    while (path.length() + 86 < 8_000) {
      path.append('/').append("\u4e16".repeat(85));
    }
    path.append('/').append("\u754c".repeat(8_000 - path.length()));
    String longest = path.toString();
    assertThat(longest).hasSize(8_000);
    byte[] bytes = load(longest, 3 * BLOCK);
    scan();

    assertThat(run(0, "raid", longest, "--codec", "rs-3-2", "--yes", "--wait").out())
        .contains("DONE");
    awaitState(longest, FileState.RAIDED);
    for (String command : List.of("explain", "fsck", "files", "history", "placement")) {
      // A table may break such a path into lines.
      assertThat(run(0, command, longest).out().replaceAll("\\s", ""))
          .as(command)
          .contains(longest);
    }
    assertThat(read(longest)).isEqualTo(bytes);
    run(0, "unraid", longest, "--yes", "--wait");
  }

  @Test
  void oneLossTooManyIsNamedAndNothingIsWritten() throws Exception {
    String path = "/warehouse/hopeless/ledger.orc";
    raided(path, 3 * BLOCK);
    String sound = "/warehouse/hopeless/ledger.sound";
    raided(sound, 2 * BLOCK);
    StripeReport stripe = stripes(path).get(0);
    List<Integer> lost = List.of(0, 2, 4);
    for (int unit : lost) {
      deleteReplica(stripe, unit);
    }

    Answer fsck = run(4, "fsck", "/warehouse/hopeless");
    assertThat(fsck.out())
        .contains(path + " (inode ", "UNRECOVERABLE, 256.0 KiB of 384.0 KiB cannot be rebuilt")
        .contains("3+2", "3 of 5 [0, 2, 4]", "Status: UNRECOVERABLE")
        .contains("1 healthy, 0 degraded, 1 unrecoverable")
        .doesNotContain(sound);

    List<String> files = parityAndDrafts();
    Answer plan = run(4, "repair", "/warehouse/hopeless");
    assertThat(plan.out()).contains(path, "UNRECOVERABLE", "Nothing was written");
    assertThat(run(4, "repair", "/warehouse/hopeless", "--yes").out())
        .contains("Nothing was written");
    reconcile();
    assertThat(parityAndDrafts()).isEqualTo(files);
    for (int unit : lost) {
      assertThat(hdfs.replicasOnDisk(unitOf(stripe, unit).blockId())).as("unit %d", unit).isEmpty();
    }
    assertThat(run(4, "status").out()).contains("UNRECOVERABLE_STRIPES", "1 unrecoverable");
    assertThat(run(0, "repairs").row(path)).contains("UNRECOVERABLE");

    run(0, "unraid", sound, "--yes");
    awaitState(sound, FileState.LEFT);
    onlyTheOwnerOfADirectoryReadsAnywhere("/warehouse/hopeless", path, "ledger.");

    hdfs.fileSystem().delete(new org.apache.hadoop.fs.Path(path), false);
    // A task that looked at the stripe before the file went may note it once more.
    Until.holds(
        () -> {
          runJob("integrity-check");
          return !shell.run("status").out().contains("UNRECOVERABLE_STRIPES");
        },
        () -> "the stripe to be forgotten: " + shell.run("status"));
    run(0, "status");
    assertThat(run(0, "repairs").out()).doesNotContain(path);
  }

  /** Asks everything as the owner of a directory, and as somebody who may not list it. */
  private static void onlyTheOwnerOfADirectoryReadsAnywhere(
      String directory, String path, String name) throws Exception {
    hdfs.fileSystem().setOwner(hdfsPath(directory), "ann", "staff");
    hdfs.fileSystem().setPermission(hdfsPath(directory), new FsPermission((short) 0700));
    UserGroupInformation.createUserForTesting("gus", new String[] {"auditors"});
    hdfs.fileSystem()
        .modifyAclEntries(
            hdfsPath(directory),
            AclEntry.parseAclSpec("user:carl:r-x,user:dora:--x,group:auditors:r-x", true));
    long inode = client.files(path, Optional.empty(), Paging.FIRST).items().get(0).inode();
    String task = client.tasks(Optional.empty(), Paging.FIRST).items().get(0).id();
    EveryQuestion everything =
        new EveryQuestion(
            node.address(),
            Map.ofEntries(
                Map.entry(ApiPaths.PATH, List.of("/warehouse", directory, path)),
                Map.entry("inode", List.of(Long.toString(inode))),
                Map.entry("id", List.of(task)),
                Map.entry(ApiPaths.LIMIT, List.of("1")),
                Map.entry(ApiPaths.CURSOR, List.of()),
                Map.entry(ApiPaths.STATE, List.of("raided")),
                Map.entry("policy", List.of("warehouse")),
                Map.entry("depth", List.of("3")),
                Map.entry("complete", List.of("true")),
                Map.entry("since", List.of()),
                Map.entry("until", List.of()),
                Map.entry("by", List.of(ME)),
                Map.entry("event", List.of("raided"))));

    Map<String, String> shown = everything.answers(token("ann"));
    shown.values().removeIf(body -> !body.contains(name));
    assertThat(shown.keySet())
        .extracting(question -> question.replaceAll("[?].*", "").replace("/api/v1/", ""))
        .contains("explain", "files", "files/" + inode, "fsck", "histogram", "history")
        .contains("placement", "quarantine", "repairs", "savings", "tasks", "tasks/" + task);
    assertThat(everything.ask("/api/v1/files", token("carl"))).as("by ACL").contains(name);
    assertThat(everything.ask("/api/v1/files", token("dora"))).as("by ACL").doesNotContain(name);
    assertThat(everything.ask("/api/v1/files", token("gus"))).as("by group").contains(name);
    assertThat(everything.answers(token("mallory")))
        .allSatisfy((question, body) -> assertThat(body).doesNotContain(name));
  }

  private static String token(String viewer) throws IOException {
    return new TokensFile(conf.resolve("tokens.json"), Clock.systemUTC())
        .create(viewer, Role.VIEWER, Optional.empty())
        .secret();
  }

  @Test
  void whatCannotBeIsAnsweredWithAnExitCodeAndALine() throws Exception {
    load("/warehouse/small", 10);
    load("/elsewhere/file", 3 * BLOCK);
    scan();
    assertThat(run(6, "raid", "/elsewhere", "--yes").out())
        .contains("NO_POLICY", "name a codec", "Refused; nothing was changed.");
    assertThat(run(6, "raid", "/warehouse/small").out()).contains("NO_COMPANY");
    assertThat(run(1, "raid", "/elsewhere", "--codec", "rs-banana").err())
        .contains("rs-banana", "raidshell codecs");
    assertThat(run(1, "raid", "relative").err()).contains("is not an absolute HDFS path");
    assertThat(run(1, "banana").err()).contains("banana");
    assertThat(run(1).err()).contains("Which command?");
    assertThat(run(0, "files", "/nowhere").out()).startsWith("No such file is known.");
    assertThat(run(0, "history", "/nowhere").out()).startsWith("There is no history.");
    assertThat(run(2, "explain", "/no/such/file").err()).contains("/no/such/file");
    assertThat(run(2, "fsck", "/no/such/directory").err()).contains("/no/such/directory");
    Answer down = new Shell(URI.create("http://127.0.0.1:1")).run("status");
    assertThat(down.exitCode()).isEqualTo(2);
    assertThat(down.err())
        .contains("No RaidNode answers at http://127.0.0.1:1", "bin/raidnode start");
    assertThat(down.err().lines()).hasSize(1);
  }

  @Test
  @Tag("full")
  void everyAnswerIsJsonForPrograms() throws Exception {
    load("/warehouse/json/file", 3 * BLOCK);
    scan();
    assertThat(json(new TypeReference<Status>() {}, 0, "status").nameservice())
        .isEqualTo(hdfs.uri().toString());
    assertThat(
            json(new TypeReference<Page<FileSummary>>() {}, 0, "files", "/warehouse/json").items())
        .extracting(FileSummary::path)
        .containsExactly("/warehouse/json/file");
    for (String command :
        List.of("policies", "repairs", "history", "placement", "plan", "histogram")) {
      assertThat(json(new TypeReference<TreeMap<String, Object>>() {}, 0, command))
          .as(command)
          .isNotEmpty();
    }
    assertThat(
            json(
                new TypeReference<TreeMap<String, Object>>() {},
                0,
                "explain",
                "/warehouse/json/file"))
        .containsEntry("raid", false);
  }

  @Test
  void healthAndMetricsAreOnTheAdminPort() throws Exception {
    String health = get(node.adminAddress().resolve("/healthcheck"));
    assertThat(health).contains("\"namenode\":{\"healthy\":true", "\"catalog\":{\"healthy\":true");
    load("/warehouse/measured", BLOCK);
    scan();
    assertThat(get(node.adminAddress().resolve("/metrics")))
        .contains(
            "raid_files{",
            "raid_job_runs",
            "raid_repair_queue_stripes{state=\"parked\"} 0.0",
            "jvm_memory_used_bytes");
  }

  // The daemon

  private static void scan() throws Exception {
    runJob("scan");
  }

  private static void reconcile() throws Exception {
    runJob("reconcile");
  }

  /** Runs a job from beginning to end. */
  private static void runJob(String job) throws Exception {
    Instant asked = Instant.now();
    Until.holds(() -> node.daemon().schedule().runNow(job), () -> "to start " + job);
    Until.holds(() -> hasRunSince(job, asked), () -> "the end of " + job);
  }

  private static boolean hasRunSince(String job, Instant asked) {
    JobReport report = node.daemon().schedule().find(job).orElseThrow();
    return !report.running() && report.lastStart().filter(at -> !at.isBefore(asked)).isPresent();
  }

  private static Answer run(int exitCode, String... arguments) {
    Answer answer = shell.run(arguments);
    assertThat(answer.exitCode()).as("%s: %s", List.of(arguments), answer).isEqualTo(exitCode);
    return answer;
  }

  private static <T> T json(TypeReference<T> type, int exitCode, String... arguments)
      throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    return run(exitCode, all.toArray(String[]::new)).json(type);
  }

  private static String get(URI uri) throws Exception {
    return HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  /** As a program would that knows nothing of dryRun. */
  private static void post(String what, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(node.address().resolve("/api/v1/" + what))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    String answer = HTTP.send(request, BodyHandlers.ofString()).body();
    assertThat(answer).contains("\"outcome\":\"PLANNED\"");
  }

  // Files

  private static byte[] raided(String path, int length) throws Exception {
    byte[] bytes = load(path, length);
    scan();
    run(0, "raid", path, "--yes");
    awaitState(path, FileState.RAIDED);
    return bytes;
  }

  private static void awaitState(String path, FileState state) throws Exception {
    Until.holds(
        () -> {
          reconcile();
          return client.files(path, Optional.of(state), Paging.FIRST).items().size() == 1;
        },
        () -> state + ": " + shell.run("files", path) + shell.run("history", path));
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

  private static int replication(String path) throws IOException {
    return hdfs.fileSystem().getFileStatus(hdfsPath(path)).getReplication();
  }

  private static int replicas(String path) throws IOException {
    return hdfs
        .fileSystem()
        .getClient()
        .getLocatedBlocks(path, 0, Long.MAX_VALUE)
        .getLocatedBlocks()
        .stream()
        .mapToInt(block -> block.getLocations().length)
        .sum();
  }

  /** Without the audit, which the daemon goes on writing by itself. */
  private static List<String> parityAndDrafts() throws IOException {
    List<String> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = hdfs.fileSystem().listFiles(hdfsPath("/.raid"), true);
    while (all.hasNext()) {
      files.add(all.next().getPath().toUri().getPath());
    }
    files.removeIf(file -> file.startsWith(ParitySettings.auditDirectory("/.raid")));
    return files;
  }

  // Damage

  private static List<StripeReport> stripes(String path) throws Exception {
    FsckReport report = client.fsck(path, Paging.FIRST);
    assertThat(report.summary().worst()).isEqualTo(HealthState.HEALTHY);
    return report.files().get(0).details();
  }

  private static void deleteReplica(StripeReport stripe, int unit) throws IOException {
    UnitReport view = unitOf(stripe, unit);
    hdfs.deleteReplica(view.blockId(), hdfs.dataNodeAt(view.node().orElseThrow()).index());
  }

  private static UnitReport unitOf(StripeReport stripe, int unit) {
    return stripe.units().stream().filter(each -> each.unit() == unit).findFirst().orElseThrow();
  }
}
