// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.repairs.StormReport;
import io.hdfsraid.raidapi.settings.SettingsReport;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.standby.FailoverReport;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellCommands;
import io.hdfsraid.raidshell.command.ShellException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class RaidShellTest {
  private static final ObjectMapper JSON =
      ApiJson.mapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** The one command that has the answers of several RaidNodes, also of those that fail. */
  private static final String DAEMONS = "daemons";

  /**
   * Each command that asks the RaidNode, in its shortest form, with the path of the API it uses.
   */
  private static final Map<String, String> COMMANDS =
      Map.ofEntries(
          Map.entry("status", ApiPaths.STATUS),
          Map.entry("top --count 1", ApiPaths.STATUS),
          Map.entry("nodes", ApiPaths.NODES),
          Map.entry("policies", ApiPaths.POLICIES),
          Map.entry("files", ApiPaths.FILES),
          Map.entry("explain /warehouse/a", ApiPaths.EXPLAIN),
          Map.entry("raid /warehouse", ApiPaths.RAID),
          Map.entry("unraid /warehouse", ApiPaths.UNRAID),
          Map.entry("quarantine list", ApiPaths.QUARANTINE),
          Map.entry("quarantine restore /warehouse", ApiPaths.QUARANTINE_RESTORE),
          Map.entry("quarantine purge /warehouse", ApiPaths.QUARANTINE_PURGE),
          Map.entry("pause", ApiPaths.PAUSE),
          Map.entry("resume", ApiPaths.PAUSE),
          Map.entry("footprint", ApiPaths.FOOTPRINT),
          Map.entry("savings", ApiPaths.SAVINGS),
          Map.entry("plan", ApiPaths.PLAN),
          Map.entry("histogram", ApiPaths.HISTOGRAM),
          Map.entry("fsck", ApiPaths.FSCK),
          Map.entry("scrub / --deep", ApiPaths.SCRUB),
          Map.entry("repair --all", ApiPaths.REPAIR),
          Map.entry("repair cancel --all", ApiPaths.REPAIRS_CANCEL),
          Map.entry("repairs", ApiPaths.REPAIRS),
          Map.entry("windows", ApiPaths.WINDOWS),
          Map.entry("windows override --for 4h", ApiPaths.WINDOWS),
          Map.entry("windows follow", ApiPaths.WINDOWS),
          Map.entry("tasks", ApiPaths.TASKS),
          Map.entry("task 17", StubRaidNode.TASK),
          Map.entry("tasks cancel 17", StubRaidNode.TASK + "/cancel"),
          Map.entry("storm", ApiPaths.STORM),
          Map.entry(DAEMONS, ApiPaths.DAEMON),
          Map.entry("failover", ApiPaths.FAILOVER),
          Map.entry("placement", ApiPaths.PLACEMENT),
          Map.entry("history", ApiPaths.HISTORY),
          Map.entry("settings", ApiPaths.SETTINGS));

  private StubRaidNode raidNode;

  @BeforeEach
  void start() throws IOException {
    raidNode = new StubRaidNode();
  }

  @AfterEach
  void stop() {
    raidNode.close();
  }

  private record Run(int exitCode, String out, String err) {}

  /** Runs words separated by blanks against the stub. */
  private Run shell(String words) {
    return run((words + " --url " + raidNode.url()).split(" ", -1));
  }

  private static Run run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = RaidShell.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new Run(exitCode, out.toString(), err.toString());
  }

  /** A watch waits minutes for a daemon that restarts. */
  @Test
  void whoFollowsATaskAtAWrongAddressIsToldAtOnce() {
    Run run = run("task", "7", "--wait", "--url", "http://127.0.0.1:1");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("http://127.0.0.1:1").doesNotContain("goes on asking");
  }

  private static Stream<String> commandsWithPath() {
    return commands().filter(words -> words.contains(" /"));
  }

  @ParameterizedTest
  @MethodSource("commandsWithPath")
  void aPathMayNameTheClusterOfTheRaidNodeAndNoOther(String words) {
    assertThat(shell(words.replace(" /", " hdfs://ns1/")).exitCode()).isZero();
    assertThat(raidNode.asked()).hasSize(2).first().isEqualTo("GET " + ApiPaths.STATUS);
    String asked = raidNode.asked().get(1);
    raidNode.asked().clear();
    assertThat(shell(words).exitCode()).isZero();
    assertThat(raidNode.asked()).containsExactly(asked);
    raidNode.asked().clear();

    Run other = shell(words.replace(" /", " hdfs://ns2/"));

    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.err())
        .isEqualTo(
            "raidshell: hdfs://ns2 is not the cluster of this RaidNode, which works on hdfs://ns1,"
                + " hdfs://nn1:8020, hdfs://nn2:9000. Ask the RaidNode of that cluster (--url), or"
                + " give a path without a cluster.\n");
    assertThat(raidNode.asked()).containsExactly("GET " + ApiPaths.STATUS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/a/b/            | %2Fa%2Fb",
        "//a//b           | %2Fa%2Fb",
        "/                | %2F",
        "hdfs://ns1       | %2F",
        "hdfs://ns1/      | %2F",
        "hdfs:///a/b/     | %2Fa%2Fb",
        "hdfs://NS1/A     | %2FA",
        "hdfs://nn1:8020/a | %2Fa",
        "hdfs://nn1/a     | %2Fa",
        "hdfs://nn2:9000/a | %2Fa",
        "hdfs://ns1/50%25 | %2F50%2525",
        "hdfs://ns1/a?b#c | %2Fa%3Fb%23c",
        "hdfs://ns1/ä/日  | %2F%C3%A4%2F%E6%97%A5",
        "/hdfs://ns2/a    | %2Fhdfs%3A%2Fns2%2Fa"
      })
  void aUriIsReadAsHadoopReadsIt(String given, String asked) {
    Run run = run("explain", given, "--url", raidNode.url());

    assertThat(run.err()).isEmpty();
    assertThat(raidNode.asked()).last().isEqualTo("GET " + ApiPaths.EXPLAIN + "?path=" + asked);
  }

  @ParameterizedTest
  @CsvSource({
    "-showConfig,policies,GET " + ApiPaths.POLICIES,
    "-checkParity /a,explain,GET " + ApiPaths.EXPLAIN + "?path=%2Fa",
    "-usefulHar,quarantine list,GET " + ApiPaths.QUARANTINE
  })
  void theVerbsOfTheAncestorAreTranslated(String words, String here, String asked) {
    Run run = shell(words);

    assertThat(run.exitCode()).as(run.toString()).isZero();
    assertThat(run.err())
        .isEqualTo("raidshell: %s is called '%s' here\n".formatted(words.split(" ", -1)[0], here));
    assertThat(raidNode.asked()).last().asString().startsWith(asked);
  }

  @Test
  void whatAVerbOfTheAncestorTookBesidesIsRefusedAndChangesNothing() {
    Run run = shell("-distRaid policy /a");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("'raid' here", "'policy' is not an absolute HDFS path");
    assertThat(raidNode.asked()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"statsu,raidshell status", "status --jsno,--json"})
  void aMistypedWordIsAnsweredWithTheOneThatWasMeant(String words, String meant) {
    assertThat(run(words.split(" ", -1)).err())
        .containsPattern("Did you mean|Possible solutions")
        .contains(meant);
  }

  @Test
  void bashCompletesCommandsAndOptions() {
    assertThat(run("generate-completion").out())
        .startsWith("#!/usr/bin/env bash")
        .contains(
            "complete -F _complete_raidshell -o default raidshell",
            "bashcompinit",
            "status",
            "--until-empty");
  }

  @Test
  void aUriMayHaveBlanks() {
    run("explain", "hdfs://ns1/two words/ä b", "--url", raidNode.url());

    assertThat(raidNode.asked())
        .last()
        .isEqualTo("GET " + ApiPaths.EXPLAIN + "?path=%2Ftwo+words%2F%C3%A4+b");
  }

  @ParameterizedTest
  @CsvSource({
    "a/b,is not an absolute HDFS path",
    "./a,is not an absolute HDFS path",
    "file:///a,is not an hdfs:// URI",
    "viewfs://ns1/a,is not an hdfs:// URI",
    "hdfs:/a,is not an hdfs:// URI",
    "hdfs://user name/a,names no cluster",
    "hdfs://nn1:port/a,names no cluster",
    "hdfs://ns2/a,is not the cluster of this RaidNode",
    "hdfs://ns1:8021/a,is not the cluster of this RaidNode",
    "hdfs://nn2/a,is not the cluster of this RaidNode"
  })
  void whatIsNoPathOfTheClusterIsRefusedAsWrongUsage(String given, String why) {
    Run run = run("explain", given, "--url", raidNode.url());

    assertThat(run.err()).contains(given.startsWith("hdfs://n") ? "hdfs://n" : given, why);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(raidNode.asked()).allMatch(each -> each.equals("GET " + ApiPaths.STATUS));
  }

  static Stream<String> commands() {
    return COMMANDS.keySet().stream().sorted();
  }

  static Stream<String> commandsForOne() {
    return commands().filter(words -> !words.equals(DAEMONS));
  }

  static CommandLine commandLine() {
    StringWriter nowhere = new StringWriter();
    return RaidShell.commandLine(new PrintWriter(nowhere), new PrintWriter(nowhere));
  }

  @Test
  void noCommandIsUntested() {
    Set<String> tested =
        COMMANDS.keySet().stream()
            .map(words -> words.replaceAll(" .*", ""))
            .collect(Collectors.toSet());
    tested.add("of-another-jar");
    tested.add("help");
    tested.add("generate-completion");

    assertThat(commandLine().getSubcommands().keySet()).isEqualTo(tested);
  }

  @ParameterizedTest
  @MethodSource("commandsForOne")
  void asJsonTheAnswerIsPrintedAsItCame(String words) throws IOException {
    Run run = shell(words + " --json");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    Object answer = raidNode.answerAt(COMMANDS.get(words));
    assertThat(JSON.readTree(run.out())).isEqualTo(JSON.readTree(StubRaidNode.write(answer)));
    if (!(answer instanceof Page)) {
      assertThat(JSON.readValue(run.out(), answer.getClass())).isEqualTo(answer);
    }
  }

  @ParameterizedTest
  @MethodSource("commandsForOne")
  void everyCommandFailsInOneLineWithTheHintOfTheRaidNode(String words) {
    raidNode.answer(
        COMMANDS.get(words), new ApiError(ErrorCode.NOT_READY, "HDFS is starting", "Wait a bit."));

    assertThat(shell(words))
        .isEqualTo(new Run(2, "", "raidshell: HDFS is starting. Wait a bit.\n"));
  }

  @Test
  void statusShowsWhatAnOperatorAsksFirst() {
    raidNode.answer(
        ApiPaths.STATUS,
        Answers.status(
            new Problem("PAUSED", "Policies are paused", ""),
            new Problem("SAFE_MODE", "The NameNode is in safe mode", "Wait for it to leave.")));
    assertThat(shell("status").out())
        .isEqualTo(
            """
            SAFE_MODE: The NameNode is in safe mode. Wait for it to leave.
            PAUSED: Policies are paused

            RaidNode 0.1.0 for hdfs://ns1 (CID-1), up 3d3h
            Ownership of the cluster: HELD by raid1:4711 since 2030-06-01T12:00:00Z
            Last scan: 2030-06-01T12:00:00Z, last integrity check: 2030-06-01T11:00:00Z
            Next runs: scan 2030-06-02T02:00:00Z, policy cold now
            HDFS: 16 DataNodes live, 1 silent, 2 out of service, 1 dead; 900.0 GiB used, 300.0 GiB free
            Calls of the NameNode since the start: 12345
            The edit log is not followed. The last complete look at all raided files began \
            2030-05-31T10:00:00Z (1d2h ago)
            Files: 12 RAIDED
            Files skipped because of: 30 STILL_WARM
            Raided: 100.0 GiB of data on 140.0 GiB of disk, parity 40.0 GiB included; effective \
            replication 1.40, saved 160.0 GiB
            Raided files since 2030-05-23T12:00:00Z: opened 120 times according to audit logs \
            (40 sampled, 30.5 of them read from another node); 2 got their replicas \
            back, 5.0 GiB copied for it
            Repairs: 3 waiting, 1 running, 0 postponed, 0 parked, 0 unrecoverable; 2 at risk
            Repairing 4.0 stripes a minute, reading 3.0 MiB/s; what waits now is done about \
            2030-06-01T12:01:00Z
            Audit of all placements: 180000 of 360000 files (50 %) at 50 files/s, to end at \
            2030-06-01T13:00:00Z; 400 units moved; of 200000 stripes 1 share a node, 2 crowd a \
            rack, 3 are stuck
            Scrub (reading): 30 of 120 parity files at 47.7 MiB/s, to end at 2030-06-07T12:00:00Z; \
            400 stripes, 5.0 GiB, 3 bad replicas; 1 to be looked at again; longest ago: \
            2030-04-22T12:00:00Z; never looked at since 2030-05-31T12:00:00Z

            ACCESS SOURCE  TRACKING SINCE        LAST HEARD            PROBLEM
            listing        2030-02-21T12:00:00Z  2030-06-01T12:00:00Z
            audit-log      2030-05-23T12:00:00Z  2030-06-01T12:00:00Z

            TRANSFERRED  HOW      SAME NODE  SAME RACK  OFF RACK  RACK UNKNOWN
            raiding      read     1.0 MiB    5.0 GiB    2.0 GiB   0 B
            raiding      written  0 B        0 B        3.0 GiB   0 B

            The daemon works by itself until 2030-06-01T12:15:00Z. YARN has not taken the job: \
            queue cold does not exist
            JOB OF YARN                     TO      STAGE    PROGRESS  STRIPES  DONE  READ FROM NODE  RACK     OTHER RACKS
            application_1893456000000_0007  encode  running  41.7 %    480      200   90.0 GiB        8.0 GiB  2.0 GiB
            See http://rm:8088/proxy/application_1893456000000_0007/

            LOSSES IN STRIPE  REPAIRED  READ      READ FOR ONE
            1                 9         9.0 GiB   1.0 GiB
            2                 1         2.0 GiB   2.0 GiB
            all               10        11.0 GiB  1.1 GiB
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "SAFE_MODE, 0, 3",
    "POLICIES_REFUSED, 0, 3",
    "PAUSED, 0, 0",
    "WINDOWS_OVERRIDDEN, 0, 0",
    "UNRECOVERABLE_STRIPES, 1, 4"
  })
  void theExitCodeOfStatusTellsScriptsWhetherSomethingIsWrong(
      String problem, int unrecoverable, int exitCode) {
    Problem what = new Problem(problem, "what", "");
    raidNode.answer(
        ApiPaths.STATUS,
        Answers.status(new Status.Repairs(0, 0, 0, 0, unrecoverable, 0), List.of(what)));

    assertThat(shell("status").exitCode()).isEqualTo(exitCode);
    assertThat(shell("status --json").exitCode()).isEqualTo(exitCode);
  }

  @Test
  void policiesShowConditionsAndExcludes() {
    assertThat(shell("policies").out())
        .contains("warehouse  /warehouse/**", "90d", "7d", "256.0 MiB", "rs-10-4", "1, parity 1")
        .contains("owners: hive", "Excluded from all: /mine/**", "Excluded, built in: /tmp/**")
        .contains("save 10 %");
  }

  @Test
  void filesAreFilteredAndPaged() {
    assertThat(shell("files /warehouse/ --state raided --limit 2 --cursor c1").out())
        .contains("16386  LEFT   STILL_WARM  10.0 GiB  3 -> 1       rs-10-4  warehouse")
        .endsWith("There is more: --cursor c2\n");
    assertThat(raidNode.asked())
        .containsExactly("GET /api/v1/files?limit=2&cursor=c1&path=%2Fwarehouse&state=RAIDED");
  }

  @Test
  void pathsOfClientsOfARouterAreToldIfThereIsOne() {
    assertThat(shell("files /warehouse").out()).doesNotContain("PATH OF CLIENTS");

    FileSummary shown = Answers.file("/warehouse/a", "warehouse", Optional.of("/data/a"));
    raidNode.answer(
        ApiPaths.FILES, new Page<>(List.of(shown, Answers.file("/warehouse/b")), Optional.empty()));
    raidNode.answer(ApiPaths.EXPLAIN, Answers.explanation(shown, "STILL_WARM"));

    assertThat(shell("files /warehouse").out())
        .contains(
            "PATH          PATH OF CLIENTS\n", "/warehouse/a  /data/a\n", "/warehouse/b  -\n");
    assertThat(shell("explain /warehouse/a").out())
        .contains("Clients of the router find it at /data/a\n");
  }

  @Test
  void explainShowsFactsVerdictAndTheWayToIt() {
    assertThat(shell("explain /warehouse/a").out())
        .isEqualTo(
            """
            /warehouse/a (inode 16386): LEFT since 2030-06-01T12:00:00Z
            10.0 GiB in 80 blocks, replication 3, changed 2030-06-01T12:00:00Z, last access \
            2030-06-01T12:00:00Z
            On disk: 30.0 GiB, raided: 14.0 GiB
            Last used 2030-05-31T12:00:00Z, by its access time in HDFS; accesses in 30 days: about \
            2.3; storage policy: WARM; snapshots: of a directory above it
            Verdict: STILL_WARM: The file was used recently.
            This changes by itself at 2030-08-30T12:00:00Z
            Policy warehouse may not act now, until 2030-06-01T12:01:00Z: outside all windows \
            (UTC); looks for files next at 2030-06-01T13:00:00Z. 63.0 % of the cluster will be \
            occupied once all has left that is to leave; none is raided before it is above 80 %.
            Reheating by warehouse: about 2.0 of 5 accesses within 2d since it was raided; stays \
            raided until 2030-06-08T12:00:00Z at least, and until 2030-07-01T12:00:00Z because \
            it was reheated before

            POLICY     APPLIES  WHY
            excludes   no       no pattern matches
            warehouse  yes      its path /warehouse/** matches

            POLICY     CONDITION  WANTED  HOLDS  FOUND                        UNTIL
            warehouse  coldAfter  90d     no     It was last used yesterday.  2030-08-29T12:00:00Z

            ACCESS SOURCE  TRACKING SINCE        HEARD UNTIL           PROBLEM
            listing        2030-02-21T12:00:00Z  2030-06-01T12:00:00Z  -
            """);
  }

  @Test
  void explainTellsWhyRaidingHasLeftAFileThatThePoliciesWantRaided() {
    String left = "Raiding has left it alone: STILL_WARM: It was last used yesterday.\n";
    assertThat(shell("explain /warehouse/a").out()).doesNotContain("Raiding has left it alone");

    raidNode.answer(
        ApiPaths.EXPLAIN, Answers.explanation(Answers.file("/warehouse/a"), Optional.empty()));

    assertThat(shell("explain /warehouse/a").out()).contains("Verdict: RAID: ", left);
  }

  @Test
  void explainNamesTheWayOutOfAnUnknownHistory() {
    assertThat(shell("explain /warehouse/a").out()).doesNotContain("atimeSince");

    raidNode.answer(ApiPaths.EXPLAIN, Answers.explanation("INSUFFICIENT_HISTORY"));

    assertThat(shell("explain /warehouse/a").out())
        .contains("set recency.atimeSince in raidnode.yml to when that began");
  }

  @Test
  void thePlanSaysWhatEachPolicyWillDoAndWhetherItMayActNow() {
    assertThat(shell("plan").out())
        .isEqualTo(
            """
            Counted 2030-06-01T12:00:00Z: 1000 files, those under parity included.

            TO RAID BY  FILES  DATA       ON DISK    THEN       SAVES      OBJECTS  TIME
            warehouse   20     100.0 GiB  300.0 GiB  140.0 GiB  160.0 GiB  900      47m48s
            logs        0      0 B        0 B        0 B        0 B        0        -
            total       20     100.0 GiB  300.0 GiB  140.0 GiB  160.0 GiB  900      -
            Not among them, because raiding has taken them up since: 2 files with 5.0 GiB.
            Times are for 50.0 MiB/s, the limit of raiding (raiding.bytesPerSecond).

            warehouse may act now, at 50 %, until 2030-06-01T12:01:00Z: within mon-fri 12:00-14:00; \
            acts above 80 % of the cluster, until below 70 %. 63.0 % of the cluster will be occupied
            logs may not act now: no window is open

            SKIPPED BECAUSE  FILES  DATA     ON DISK
            STILL_WARM       7      1.0 GiB  3.0 GiB
            Skipped because they are small: 4 files with 1.0 KiB.
            """);
    raidNode.answer(ApiPaths.PLAN, Answers.outlook("local", 0));
    assertThat(shell("plan --policy logs").out()).contains("so no time can be estimated");
    assertThat(raidNode.asked())
        .containsExactly("GET /api/v1/plan", "GET /api/v1/plan?policy=logs");
  }

  @Test
  void aPlanForContainersHasTheTimesOfTheirLimit() {
    raidNode.answer(ApiPaths.PLAN, Answers.outlook("yarn", 50 << 20));

    assertThat(shell("plan").out())
        .contains(
            """
            Containers of YARN encode (raiding.engine: yarn).
            Times are for 50.0 MiB/s, the limit of all containers (yarn.bytesPerSecond).
            """);
  }

  @Test
  void theHistogramShowsWhatEachAgeWouldTake() {
    assertThat(shell("histogram").out())
        .isEqualTo(
            """
            8 files below /warehouse, used so long before 2030-06-01T12:00:00Z:

            LAST USED  FILES  DATA      ON DISK   AND OLDER  OLDER ON DISK
            <1d        5      1.0 GiB   3.0 GiB   31.0 GiB   63.0 GiB
            >5y        3      30.0 GiB  60.0 GiB  30.0 GiB   60.0 GiB

            DATA OF  REPLICATION  FILES  <1MiB    >10GiB
            <1d      3            5      1.0 GiB  -
            >5y      EC           1      -        10.0 GiB
            >5y      3            2      -        20.0 GiB
            EC: HDFS's own erasure coding; what these files take on disk is not known here.
            """);
    raidNode.answer(ApiPaths.HISTOGRAM, Answers.histogram(false));
    assertThat(shell("histogram --path /warehouse/").out())
        .contains("dfs.namenode.accesstime.precision is 0");
    assertThat(raidNode.asked())
        .containsExactly(
            "GET /api/v1/histogram?path=%2F", "GET /api/v1/histogram?path=%2Fwarehouse");
  }

  @Test
  void anImageKnowsNoPathsAndNeedsTheOtherJars() {
    assertThat(shell("histogram --fsimage f --path /a"))
        .satisfies(run -> assertThat(run.exitCode()).isEqualTo(1))
        .satisfies(run -> assertThat(run.err()).contains("--path cannot be used with --fsimage"));
    assertThat(shell("histogram --fsimage f").err()).contains("are not on the class path");
    assertThat(raidNode.asked()).isEmpty();
  }

  @Test
  void windowsAreOverriddenOnlyWhenToldSo() throws IOException {
    assertThat(shell("windows").out())
        .isEqualTo(
            """
            Policies act at full speed until 2030-06-01T12:00:00Z, whatever windows say.
            warehouse may act now, at 100 %, until 2030-06-01T12:00:00Z: an operator wants it
            logs may not act now: no window is open
            """);
    assertThat(shell("windows override --for 90m").out())
        .endsWith("Nothing was changed. To carry it out, add --yes.\n");
    raidNode.answer(ApiPaths.WINDOWS, new WindowsReport(Optional.empty(), List.of(), true));
    assertThat(shell("windows override --for 2d --closed --yes").out())
        .endsWith("Changed. The change survives a restart of the RaidNode.\n");
    assertThat(shell("windows follow --yes").out())
        .startsWith("Policies act as their windows say.\n");
    assertThat(shell("windows override --for 8d"))
        .satisfies(run -> assertThat(run.exitCode()).isOne())
        .satisfies(run -> assertThat(run.err()).contains("at most 7 days"));
    assertThat(raidNode.asked())
        .containsExactly(
            "GET /api/v1/windows",
            "POST /api/v1/windows {\"mode\":\"OPEN\",\"durationSeconds\":5400,\"dryRun\":true}",
            "POST /api/v1/windows {\"mode\":\"CLOSED\",\"durationSeconds\":172800,\"dryRun\":false}",
            "POST /api/v1/windows {\"mode\":\"FOLLOW\",\"durationSeconds\":0,\"dryRun\":false}");
  }

  @Test
  void theWorkIsLeftToAnotherDaemonOnlyWhenToldSo() throws IOException {
    assertThat(shell("failover --to raid2").out())
        .isEqualTo(
            """
            process 4711 on raid1 would end its work and leave it to the daemon on raid2, if one stands by there.
            If that one has not begun within 30 s, any other does.
            Nothing was changed. To carry it out, add --yes.
            """);
    raidNode.answer(
        ApiPaths.FAILOVER, new FailoverReport("process 4711 on raid1", Optional.empty(), 30, true));
    assertThat(shell("failover --yes").out())
        .startsWith(
            "process 4711 on raid1 ends its work and leaves it to a daemon that stands by, if")
        .doesNotContain("--yes");
    assertThat(raidNode.asked())
        .containsExactly(
            "POST /api/v1/failover {\"to\":\"raid2\",\"dryRun\":true}",
            "POST /api/v1/failover {\"to\":null,\"dryRun\":false}");
  }

  /** Asks the usual daemon and a second one, which answers this. */
  private Run daemons(Object second, String... more) throws IOException {
    try (StubRaidNode other = new StubRaidNode()) {
      other.answer(ApiPaths.DAEMON, second);
      Run run =
          run(
              Stream.concat(
                      Stream.of(DAEMONS, "--url", raidNode.url() + "," + other.url()),
                      Stream.of(more))
                  .toArray(String[]::new));
      assertThat(other.asked()).containsExactly("GET /api/v1/daemon");
      return new Run(
          run.exitCode(),
          run.out()
              .replace(raidNode.url(), "http://raid1:1")
              .replace(other.url(), "http://raid2:2"),
          run.err());
    }
  }

  @Test
  void eachDaemonSaysHowItIs() throws IOException {
    Run run = daemons(Answers.standbyDaemon());

    assertThat(run.out().lines().map(line -> line.replaceAll(" {2,}", "  ")))
        .containsExactly(
            "URL  ROLE  PROCESS  VERSION  SINCE  EPOCH  INDEX  PROBLEM",
            "http://raid1:1  ACTIVE  process 4711 on raid1  1.2.3  2030-06-01T12:00:00Z  3  -  -",
            "http://raid2:2  STANDBY  process 42 on raid2  1.2.3  2030-06-01T12:00:00Z  -"
                + "  at 81234, 3s behind  -",
            "",
            "1 active, 1 standing by, 0 without an answer");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(raidNode.asked()).containsExactly("GET /api/v1/daemon");
  }

  @Test
  void aDaemonThatCannotBeAskedIsARowWithTheReason() {
    String down = "http://127.0.0.1:1";
    Run one = run(DAEMONS, "--url", down + "," + raidNode.url());

    assertThat(one.out().lines())
        .anySatisfy(
            line -> assertThat(line).startsWith(down).endsWith("No RaidNode answers at " + down))
        .anySatisfy(line -> assertThat(line).startsWith(raidNode.url()).contains("ACTIVE"))
        .contains("1 active, 0 standing by, 1 without an answer")
        .last()
        .asString()
        .contains("--url");
    assertThat(one.err()).isEmpty();
    assertThat(one.exitCode()).isEqualTo(3);
    assertThat(run(DAEMONS, "--url", down + "," + down).exitCode()).isEqualTo(2);

    raidNode.answer(ApiPaths.DAEMON, new ApiError(ErrorCode.NOT_READY, "It waits", "Wait a bit."));
    assertThat(shell(DAEMONS))
        .satisfies(run -> assertThat(run.out()).contains("It waits"))
        .satisfies(run -> assertThat(run.exitCode()).isEqualTo(2));
  }

  @Test
  void whoMayNotAskOneDaemonStillAsksTheOthers(@TempDir Path folder) throws IOException {
    Path token = Files.writeString(folder.resolve("token"), "s3cret");
    raidNode.demandToken("s3cret");

    Run run =
        run(
            DAEMONS,
            "--url",
            "http://192.0.2.1:8090," + raidNode.url(),
            "--token-file",
            token.toString());

    assertThat(run.out())
        .contains("The token would travel unencrypted to 192.0.2.1", "process 4711 on raid1");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(shell(DAEMONS).out()).contains("The token is not the right one");
  }

  @Test
  void daemonsOfWhichNoneIsActiveSayWhy() throws IOException {
    raidNode.answer(ApiPaths.DAEMON, Answers.standbyDaemon());

    Run run = daemons(Answers.standbyDaemon(Optional.empty(), "The root is gone"));

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out().lines())
        .anySatisfy(line -> assertThat(line).contains("not followed", "The root is gone"))
        .endsWith(
            "0 active, 1 standing by, 0 without an answer",
            "The daemon stands by: process 4711 on raid1 works on this cluster, and answers at"
                + " https://raid1:8090");
  }

  @Test
  void aDaemonThatCannotBeginYetHasAnswered() throws IOException {
    Run run =
        daemons(
            DaemonReport.waiting(
                "1.2.3", "process 42 on raid2", Answers.NOON, "The NameNode is away"));

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out().lines())
        .anySatisfy(line -> assertThat(line).contains("WAITING", "The NameNode is away"))
        .endsWith("1 active, 0 standing by, 1 waiting, 0 without an answer");
  }

  @Test
  void daemonsOfANameserviceAreAskedBelowItsName() throws IOException {
    raidNode.answer("/ns/west" + ApiPaths.DAEMON, Answers.standbyDaemon());

    Run run = shell(DAEMONS + " --nameservice west");

    assertThat(run.out()).contains("STANDBY");
    assertThat(raidNode.asked()).containsExactly("GET /ns/west/api/v1/daemon");
  }

  @Test
  void onlyOneDaemonMayBeActive() throws IOException {
    Run two = daemons(Answers.activeDaemon("process 42 on raid2", 4, ""));
    assertThat(two.exitCode()).isEqualTo(3);
    assertThat(two.out()).contains("2 active, 0", "only the one with the highest epoch changes");

    Run twice = daemons(Answers.activeDaemon("process 4711 on raid1", 3, ""));
    assertThat(twice.out()).contains("1 active, 0").doesNotContain("highest epoch");
    assertThat(twice.exitCode()).as("one daemon at two addresses").isZero();
  }

  @ParameterizedTest
  @CsvSource({"true, 0", "false, 3"})
  void aProblemOfADaemonIsAFinding(boolean isWell, int exitCode) throws IOException {
    String problem = isWell ? "" : "Its index does not follow";
    assertThat(daemons(Answers.standbyDaemon(Optional.empty(), problem)).exitCode())
        .isEqualTo(exitCode);
    raidNode.answer(ApiPaths.DAEMON, Answers.activeDaemon("process 4711 on raid1", 3, problem));
    assertThat(daemons(Answers.standbyDaemon()).exitCode()).isEqualTo(exitCode);
  }

  @Test
  void daemonsAreAListAsJson() throws IOException {
    JsonNode all = JSON.readTree(daemons(Answers.standbyDaemon(), "--json").out()).path("daemons");

    assertThat(all).hasSize(2);
    assertThat(JSON.treeToValue(all.at("/1/daemon"), DaemonReport.class))
        .isEqualTo(Answers.standbyDaemon());
    assertThat(all.at("/1/url").asText()).isEqualTo("http://raid2:2");
    assertThat(all.at("/1/failure").asText()).isEmpty();
    JsonNode none =
        JSON.readTree(run(DAEMONS, "--json", "--url", "http://127.0.0.1:1").out()).path("daemons");
    assertThat(none.at("/0/daemon").isNull()).isTrue();
    assertThat(none.at("/0/failure").asText())
        .isEqualTo("No RaidNode answers at http://127.0.0.1:1");
  }

  @Test
  void aStormIsOverriddenOnlyWhenToldSo() throws IOException {
    assertThat(shell("storm").out())
        .isEqualTo(
            """
            Noticed 2030-06-01T12:00:00Z: 11 DataNodes
            Repairs pause, except those of stripes that tolerate no further loss.
            """);
    assertThat(shell("storm --override").out())
        .endsWith("Nothing was changed. To carry it out, add --yes.\n");
    raidNode.answer(ApiPaths.STORM, new StormReport(Answers.storm().storm(), true));
    assertThat(shell("storm --override --yes").out())
        .endsWith(
            "Overridden: all repairs go on. Only losses from now on count for a new pause.\n");
    raidNode.answer(ApiPaths.STORM, new StormReport(Optional.empty(), false));
    assertThat(shell("storm --override --yes").out())
        .isEqualTo("No storm: repairs do not pause.\n");
    assertThat(raidNode.asked())
        .containsExactly(
            "GET /api/v1/storm",
            "POST /api/v1/storm {\"dryRun\":true}",
            "POST /api/v1/storm {\"dryRun\":false}",
            "POST /api/v1/storm {\"dryRun\":false}");
  }

  @Test
  void settingsAreListed() {
    assertThat(shell("settings").out())
        .isEqualTo(
            """
            SETTING                 NOW    AT START  WHAT IT LIMITS
            raiding.workers         3      2         files encoded
            raiding.bytesPerSecond  200MB  200MB     bytes
            """);
    assertThat(raidNode.asked()).containsExactly("GET /api/v1/settings");
  }

  @Test
  void aChangeOfSettingsIsShownAndIsCarriedOutWhenToldSo() {
    SettingsReport.Change change = new SettingsReport.Change("raiding.workers", "2", "3");
    raidNode.answer(ApiPaths.SETTINGS, new SettingsReport(List.of(), List.of(change), false));
    assertThat(shell("settings raiding.workers=3 placement.concurrentMoves=1").out())
        .isEqualTo(
            """
            SETTING          FROM  TO
            raiding.workers  2     3

            Nothing was changed. To carry it out, add --yes.
            """);
    raidNode.answer(ApiPaths.SETTINGS, new SettingsReport(List.of(), List.of(change), true));
    assertThat(shell("settings raiding.workers=3 --yes").out())
        .endsWith(
            "Changed, until the next start of the RaidNode. To keep it, write it into"
                + " raidnode.yml.\n");
    raidNode.answer(ApiPaths.SETTINGS, new SettingsReport(List.of(), List.of(), true));
    assertThat(shell("settings raiding.workers=3 --yes").out())
        .isEqualTo("The settings have these values already; there is nothing to do.\n");
    assertThat(raidNode.asked())
        .containsExactly(
            "PUT /api/v1/settings"
                + " {\"values\":{\"raiding.workers\":\"3\",\"placement.concurrentMoves\":\"1\"},\"dryRun\":true}",
            "PUT /api/v1/settings {\"values\":{\"raiding.workers\":\"3\"},\"dryRun\":false}",
            "PUT /api/v1/settings {\"values\":{\"raiding.workers\":\"3\"},\"dryRun\":false}");
  }

  @Test
  void aPlanIsShownAndNothingIsDone() {
    assertThat(shell("raid /warehouse"))
        .isEqualTo(
            new Run(
                0,
                """
                RAID /warehouse: would cover 2 files, 1 of them skipped; reads 10.0 GiB, writes \
                4.0 GiB, frees 16.0 GiB

                INODE  PATH          SKIPPED BECAUSE  READS     WRITES   WHAT
                16     /warehouse/a  -                10.0 GiB  4.0 GiB  encode 8 stripes
                17     /warehouse/b  TOO_SMALL        0 B       0 B
                ... and 5 more

                Skipped in all: 1 TOO_SMALL
                It takes about an hour.
                Nothing was changed. To carry it out, add --yes.
                """,
                ""));
    assertThat(raidNode.asked()).singleElement().asString().contains("\"dryRun\":true");
  }

  @Test
  void unraidOfEverythingIsAWithdrawalAsFarAsItIsTold() {
    shell("unraid --all");
    shell("unraid --all --purge --yes");
    shell("unraid --all --remove-root --yes");

    assertThat(raidNode.asked())
        .containsExactly(
            "POST /api/v1/withdraw {\"purge\":false,\"removeRoot\":false,\"abandon\":[],\"dryRun\":true}",
            "POST /api/v1/withdraw {\"purge\":true,\"removeRoot\":false,\"abandon\":[],\"dryRun\":false}",
            "POST /api/v1/withdraw {\"purge\":true,\"removeRoot\":true,\"abandon\":[],\"dryRun\":false}");
  }

  @Test
  void filesAreAbandonedOnlyByAWordThatNobodyTypesByChance() {
    String preview =
        "{\"purge\":false,\"removeRoot\":false,\"abandon\":[\"/w/a\"],\"dryRun\":true}";
    shell("unraid --all --abandon /w/a");
    Run unconfirmed = typing("no", "unraid --all --abandon /w/a --yes");
    assertThat(unconfirmed.exitCode()).isEqualTo(6);
    assertThat(unconfirmed.err())
        .contains("/warehouse/a: encode 8 stripes", "type: this data is lost")
        .contains("nothing was changed", "--i-know-that-data-is-lost");
    assertThat(raidNode.asked())
        .containsExactly("POST /api/v1/withdraw " + preview, "POST /api/v1/withdraw " + preview);

    typing("this data is lost", "unraid --all --abandon /w/a --yes");
    shell("unraid --all --abandon /w/a --yes --i-know-that-data-is-lost");
    assertThat(raidNode.asked())
        .filteredOn(asked -> asked.contains("\"abandon\":[\"/w/a\"],\"dryRun\":false}"))
        .hasSize(2);
  }

  private Run typing(String line, String words) {
    InputStream keyboard = System.in;
    System.setIn(new ByteArrayInputStream((line + "\n").getBytes(Charset.defaultCharset())));
    try {
      return shell(words);
    } finally {
      System.setIn(keyboard);
    }
  }

  @Test
  void pauseAndResumeAskForOppositeThings() {
    shell("pause --yes");
    shell("resume --yes");

    assertThat(raidNode.asked())
        .containsExactly(
            "POST /api/v1/pause {\"paused\":true,\"dryRun\":false}",
            "POST /api/v1/pause {\"paused\":false,\"dryRun\":false}");
  }

  @Test
  void theQuarantineSaysWhatCanBeRestoredAndWhy() {
    assertThat(shell("quarantine list /warehouse").out())
        .contains("INODE", "CAN BE RESTORED")
        .containsPattern("yes +/warehouse/a")
        .contains("no: its file is gone  /warehouse/b");
    raidNode.answer(ApiPaths.QUARANTINE, Page.last(List.of()));
    assertThat(shell("quarantine list").out()).isEqualTo("Nothing is in quarantine.\n");
  }

  @Test
  void tracesAreFindingsUntilNothingIsLeft() {
    raidNode.answer(ApiPaths.FOOTPRINT, Answers.traces());
    Run some = shell("footprint");
    assertThat(some.exitCode()).isEqualTo(3);
    assertThat(some.out())
        .contains("Policies: paused, withdrawing", "parity files in quarantine", "root /.raid")
        .contains("Does not belong to HDFS-RAID and stays: /.raid/note.txt", "Waits: 3 files wait");

    raidNode.answer(ApiPaths.FOOTPRINT, Answers.noTraces());
    Run none = shell("footprint");
    assertThat(none.exitCode()).isZero();
    assertThat(none.out()).contains("Nothing is left: there is no /.raid");
  }

  @Test
  void nodesShowWhatEachHolds() {
    assertThat(shell("nodes").out().lines())
        .anySatisfy(line -> assertThat(line).matches("DEAD +0 B +0 B .* /r1 +dn1:9866 +dn1:9866"))
        .anySatisfy(line -> assertThat(line).matches("LIVE +1.0 GiB +3.0 GiB .* dn2:9866"))
        .last()
        .isEqualTo("No placement audit has counted raided bytes yet.");
  }

  @Test
  void savingsShowWhatWasExpectedWhatIsActualAndWhatIsLeft() {
    assertThat(shell("savings /warehouse --depth 2 --complete").out())
        .contains("policy warehouse", "codec rs-10-4", "/warehouse/clicks")
        .contains("of 1 of 2 files under parity", "1 of these files occupy more than expected")
        .contains(
            "STILL_WARM", "Small files, for which stripes of their own would not save space: 4");
    assertThat(raidNode.asked())
        .containsExactly("GET /api/v1/savings?path=%2Fwarehouse&depth=2&complete=true");
  }

  @ParameterizedTest
  @CsvSource({
    "raid /w, raid",
    "unraid /w, unraid",
    "repair /w, repair",
    "quarantine restore /w, quarantine/restore",
    "quarantine purge /w, quarantine/purge"
  })
  void onlyWithYesIsAnythingCarriedOut(String words, String resource) {
    shell(words);
    shell(words + " --yes");

    String path = words.endsWith("/w") ? "/w" : "/";
    assertThat(raidNode.asked())
        .hasSize(2)
        .allMatch(
            call -> call.startsWith("POST /api/v1/" + resource + " {\"path\":\"" + path + "\""));
    assertThat(raidNode.asked().get(0)).contains("\"dryRun\":true");
    assertThat(raidNode.asked().get(1)).contains("\"dryRun\":false");
  }

  @Test
  void raidCanBeToldTheCodecAndTheReplication() {
    shell("raid /w --codec rs-6-3 --target-replication 2");

    assertThat(raidNode.asked())
        .containsExactly(
            "POST /api/v1/raid {\"path\":\"/w\",\"dryRun\":true,\"codec\":\"rs-6-3\","
                + "\"targetReplication\":2}");
  }

  @ParameterizedTest
  @CsvSource({
    "PLANNED, 2, 0",
    "NOTHING_TO_DO, 0, 0",
    "ACCEPTED, 0, 0",
    "ACCEPTED, 1, 5",
    "DONE, 0, 0",
    "PARTLY_DONE, 1, 5",
    "REFUSED, 2, 6",
    "UNRECOVERABLE, 2, 4",
    "UNKNOWN, 0, 2"
  })
  void theOutcomeOfAPlanIsItsExitCode(Outcome outcome, long refused, int exitCode) {
    raidNode.answer(ApiPaths.REPAIR, Answers.plan(Action.REPAIR, outcome, refused));

    assertThat(shell("repair /w --yes").exitCode()).isEqualTo(exitCode);
    assertThat(shell("repair /w --yes --json").exitCode()).isEqualTo(exitCode);
  }

  private void acceptRaid() {
    raidNode.answer(ApiPaths.RAID, Answers.plan(Action.RAID, Outcome.ACCEPTED, 0).acceptedAs("17"));
  }

  private long looksAtTheTask() {
    return raidNode.asked().stream()
        .filter(call -> call.equals("GET " + StubRaidNode.TASK))
        .count();
  }

  @Test
  void topStartsWhileTheNameNodeIsAway() {
    raidNode.answer(
        ApiPaths.NODES, new ApiError(ErrorCode.NOT_READY, "The NameNode does not answer", ""));

    Run run = shell("top --count 1");

    assertThat(run.exitCode()).as(run.toString()).isZero();
    assertThat(run.out()).contains("DataNodes: not known now", "Raiding: ");

    raidNode.answer(ApiPaths.NODES, new ApiError(ErrorCode.FORBIDDEN, "Not for you", ""));
    assertThat(shell("top --count 1").err()).contains("Not for you");
  }

  @Test
  void aTaskIsFollowedOnWhenTheDaemonIsBack() throws InterruptedException {
    acceptRaid();
    raidNode.answer(StubRaidNode.TASK, new ApiError(ErrorCode.NOT_READY, "It starts", ""));
    AtomicReference<Run> ended = new AtomicReference<>();
    Thread following =
        new Thread(() -> ended.set(shell("raid /warehouse --yes --wait")), "following");
    following.start();
    while (looksAtTheTask() < 2 && following.isAlive()) {
      Thread.onSpinWait();
    }
    raidNode.answer(StubRaidNode.TASK, Answers.task(TaskState.DONE));
    following.join();

    assertThat(ended.get().exitCode()).as(ended.toString()).isZero();
    assertThat(ended.get().err()).containsOnlyOnce("It starts; the shell goes on asking");
  }

  @Test
  void aStateOfATaskThatOnlyANewerDaemonKnowsIsNotWaitedFor() {
    acceptRaid();
    raidNode.answer(StubRaidNode.TASK, Answers.task(TaskState.UNKNOWN));

    assertThat(shell("raid /warehouse --yes --wait").exitCode()).isEqualTo(2);
  }

  /** As an offline repair answers, which has ended when it does. */
  @Test
  void aChangeThatIsDoneIsNotFollowed() {
    raidNode.answer(
        ApiPaths.RAID,
        Answers.plan(Action.RAID, Outcome.ACCEPTED, 0).acceptedAs("17").as(Outcome.DONE, ""));

    Run run = shell("raid /warehouse --yes --wait");

    assertThat(run.exitCode()).as(run.toString()).isZero();
    assertThat(looksAtTheTask()).isZero();
  }

  @Test
  void aTaskIsFollowedToItsEndIfThatIsWanted() throws InterruptedException {
    acceptRaid();
    AtomicReference<Run> ended = new AtomicReference<>();
    Thread following =
        new Thread(() -> ended.set(shell("raid /warehouse --yes --wait")), "following");
    following.start();
    while (looksAtTheTask() < 2 && following.isAlive()) {
      Thread.onSpinWait();
    }
    raidNode.answer(StubRaidNode.TASK, Answers.task(TaskState.DONE));
    following.join();

    Run run = ended.get();
    assertThat(run.exitCode()).as(run.toString()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "RAID /warehouse: RUNNING, 25.0 %, 1 of 4 steps, 1 not carried out,"
                + " 10.0 GiB of 40.0 GiB, 1.0 GiB/s, 30s left\n");
    assertThat(run.out()).contains("RAID /warehouse: 2 files", "Task 17: RAID /warehouse: DONE");
  }

  @ParameterizedTest
  @CsvSource({"DONE, 0", "PARTLY_DONE, 5", "FAILED, 5", "CANCELLED, 5"})
  void theEndOfATaskIsTheExitCode(TaskState state, int exitCode) throws IOException {
    acceptRaid();
    raidNode.answer(StubRaidNode.TASK, Answers.task(state));

    assertThat(shell("raid /warehouse --yes --wait").exitCode()).isEqualTo(exitCode);
    assertThat(shell("task 17").exitCode()).isEqualTo(exitCode);
    Run json = shell("raid /warehouse --yes --wait --json");
    assertThat(json.exitCode()).isEqualTo(exitCode);
    assertThat(JSON.readTree(json.out()).path("state").asText()).isEqualTo(state.name());
  }

  @Test
  void aTaskIsNotFollowedWithoutATerminal() {
    acceptRaid();
    for (String words : List.of("raid /warehouse --yes", "raid /warehouse --yes --detach")) {
      Run run = shell(words);
      assertThat(run.exitCode()).as(words).isZero();
      assertThat(run.out()).contains("Queued as task 17. 'raidshell task 17 --wait' follows it.");
    }
    assertThat(looksAtTheTask()).isZero();
    assertThat(shell("raid /warehouse --yes --wait --detach").exitCode()).isEqualTo(1);
  }

  @Test
  void manyFilesAreCheckedByATask() throws IOException {
    raidNode.answer(
        "GET " + ApiPaths.FSCK, new ApiError(ErrorCode.REFUSED, "There are too many", ""));
    raidNode.answer("POST " + ApiPaths.FSCK, Answers.task(TaskState.QUEUED));
    TaskReport done = Answers.task(TaskState.DONE);
    raidNode.answer(
        StubRaidNode.TASK,
        new TaskReport(
            done.id(),
            Action.FSCK,
            done.path(),
            done.state(),
            "",
            "",
            "",
            "",
            done.queuedAt(),
            done.startedAt(),
            done.endedAt(),
            done.progress(),
            Optional.empty(),
            Optional.of(Answers.fsck(new FsckReport.Summary(900, 1, 0, 0, 0)))));

    Run run = shell("fsck /warehouse --limit 7");
    assertThat(run.exitCode()).as(run.toString()).isEqualTo(3);
    assertThat(run.out()).contains("901 raided files", "Status: DEGRADED");
    assertThat(raidNode.asked())
        .containsExactly(
            "GET /api/v1/fsck?limit=7&path=%2Fwarehouse",
            "POST /api/v1/fsck {\"path\":\"/warehouse\",\"limit\":7,\"cursor\":null}",
            "GET /api/v1/tasks/17");

    raidNode.answer(StubRaidNode.TASK, Answers.task(TaskState.CANCELLED));
    Run cancelled = shell("fsck /warehouse");
    assertThat(cancelled.exitCode()).isEqualTo(5);
    assertThat(cancelled.err()).contains("CANCELLED", "it is open");
  }

  @Test
  void tasksAreListedAndShownAndCancelled() {
    Run list = shell("tasks --state running --limit 3");
    assertThat(list.out()).contains("17", "RUNNING", "25%", "alice", "RAID", "/warehouse");
    assertThat(shell("task 17").out())
        .contains("Task 17: RAID /warehouse: RUNNING, 25.0 %", "by alice (request r-1): too cold");
    shell("tasks cancel 17");
    shell("tasks cancel 17 --yes");

    assertThat(raidNode.asked())
        .containsExactly(
            "GET /api/v1/tasks?limit=3&state=RUNNING",
            "GET /api/v1/tasks/17",
            "POST /api/v1/tasks/17/cancel {\"dryRun\":true}",
            "POST /api/v1/tasks/17/cancel {\"dryRun\":false}");
  }

  @ParameterizedTest
  @EnumSource(ChangePreview.Outcome.class)
  void everyOutcomeIsPutIntoWords(Outcome outcome) {
    raidNode.answer(ApiPaths.REPAIR, Answers.plan(Action.REPAIR, outcome, 0));

    assertThat(shell("repair /w").out().lines().reduce((first, second) -> second).orElseThrow())
        .endsWith(".");
  }

  @Test
  void aRepairIsAskedForByPathByStripeOrAltogether() {
    shell("repair /w");
    shell("repair --stripe 16387/0,16387/3 --yes");
    shell("repair --all");
    shell("repair cancel /w");
    shell("repair cancel --stripe 16387/0 --for 30m --yes");

    assertThat(raidNode.asked())
        .containsExactly(
            "POST /api/v1/repair {\"path\":\"/w\",\"stripes\":[],\"all\":false,\"dryRun\":true}",
            "POST /api/v1/repair"
                + " {\"path\":\"\",\"stripes\":[\"16387/0\",\"16387/3\"],\"all\":false,\"dryRun\":false}",
            "POST /api/v1/repair {\"path\":\"\",\"stripes\":[],\"all\":true,\"dryRun\":true}",
            "POST /api/v1/repairs/cancel"
                + " {\"path\":\"/w\",\"stripes\":[],\"all\":false,\"pauseSeconds\":3600,\"dryRun\":true}",
            "POST /api/v1/repairs/cancel"
                + " {\"path\":\"\",\"stripes\":[\"16387/0\"],\"all\":false,\"pauseSeconds\":1800,\"dryRun\":false}");
  }

  @Test
  void thePlanOfARepairNamesUnitsSourcesAndTargets() {
    raidNode.answer(ApiPaths.REPAIR, Answers.repairPlan());

    assertThat(shell("repair /warehouse").out())
        .contains("stripe 16386/4 lost [1]: read 0:dn0:9866 2:dn2:9866, write 1:dn7:9866");
  }

  @Test
  void watchingEndsWhenTheQueueIsEmptyAndPrintsWhatChanges() throws InterruptedException {
    raidNode.answer(ApiPaths.STATUS, Answers.status(new Status.Repairs(0, 1, 0, 0, 0, 0)));
    raidNode.answer(ApiPaths.REPAIRS, Answers.repairs());
    AtomicReference<Run> ended = new AtomicReference<>();
    Thread watching =
        new Thread(() -> ended.set(shell("repairs --until-empty --interval 1")), "watching");
    watching.start();
    // Asked twice: nothing has changed in between.
    while (watching.isAlive()
        && raidNode.asked().stream().filter(call -> call.contains("/repairs")).count() < 2) {
      Thread.onSpinWait();
    }
    raidNode.answer(ApiPaths.STATUS, Answers.status(new Status.Repairs(0, 0, 0, 1, 0, 0)));
    raidNode.answer(ApiPaths.REPAIRS, Page.last(List.of()));
    watching.join();

    Run run = ended.get();
    assertThat(run.exitCode()).as(run.toString()).isEqualTo(5);
    assertThat(run.out().lines().filter(line -> line.contains("POSTPONED"))).hasSize(1);
    assertThat(run.out().lines().filter(line -> line.contains("ENDED"))).hasSize(1);
    assertThat(run.out()).contains("1 running").contains("1 parked");
  }

  @Test
  void whatIsLeftInTheEndDecidesHowWatchingEnds() {
    raidNode.answer(ApiPaths.STATUS, Answers.status(new Status.Repairs(0, 0, 0, 0, 0, 0)));
    assertThat(shell("repairs --until-empty").exitCode()).isZero();
    raidNode.answer(ApiPaths.STATUS, Answers.status(new Status.Repairs(0, 0, 0, 1, 2, 2)));
    assertThat(shell("repairs --until-empty --json").exitCode()).isEqualTo(4);
  }

  @Test
  void withoutItsJarsNothingIsDoneOffline() {
    for (String words : List.of("fsck --offline", "repair --all --offline --yes")) {
      Run run = shell(words);
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("--offline");
    }
    assertThat(raidNode.asked()).isEmpty();
  }

  @Test
  void fsckCountsFilesAndStripesByHealthWithExamples() {
    raidNode.answer(
        ApiPaths.FSCK,
        new FsckReport(
            "/",
            Answers.NOON,
            new FsckReport.Summary(8, 1, 0, 0, 0),
            List.of(
                new FsckReport.Health(HealthState.DEGRADED, 0, 1, 2, List.of("/a")),
                new FsckReport.Health(HealthState.HEALTHY, 2, 8, 64, List.of("/b", "/c"))),
            List.of(),
            Optional.empty(),
            "Only the NameNode was asked."));

    assertThat(shell("fsck").out())
        .startsWith(
            """
            STATE     TOLERATES  FILES  STRIPES  FOR EXAMPLE
            DEGRADED  0          1      2        /a
            HEALTHY   2          8      64       /b /c
            """)
        .contains("Only the NameNode was asked.\nStatus: DEGRADED");
  }

  @Test
  void fsckOfAHealthyTreeIsShort() {
    assertThat(shell("fsck"))
        .isEqualTo(
            new Run(
                0,
                """
                9 raided files below / at 2030-06-01T12:00:00Z: 9 healthy, 0 degraded, 0 \
                unrecoverable, 0 unknown
                Status: HEALTHY
                """,
                ""));
  }

  @Test
  void fsckShowsTheArithmeticOfADegradedStripe() {
    raidNode.answer(
        ApiPaths.FSCK, Answers.fsck(new FsckReport.Summary(8, 1, 0, 0, 0), Answers.degraded()));

    Run run = shell("fsck /warehouse");

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out())
        .startsWith(
            """
            /warehouse/a (inode 16386): degraded in 1 of 8 stripes, rs-3-2 tolerates 1 more
              STRIPE  STATE     UNITS  LOST        TOLERATES  WHERE
              4       DEGRADED  3+2    1 of 5 [1]  1          0:dn0:9866 1:MISSING
            """)
        .endsWith("Status: DEGRADED\n");
  }

  @Test
  void fsckNamesWhatCannotBeRebuiltAndWhatIsUnknown() {
    raidNode.answer(
        ApiPaths.FSCK,
        Answers.fsck(
            new FsckReport.Summary(8, 0, 1, 1, 1 << 20),
            Answers.unrecoverable(),
            Answers.unknown()));
    Run run = shell("fsck");

    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.out())
        .contains("/b (inode 16387): UNRECOVERABLE, 1.0 MiB of 1.0 GiB cannot be rebuilt")
        .contains("/c (inode 16388): unknown, no manifest")
        .contains("Data that cannot be rebuilt: 1.0 MiB")
        .endsWith("Status: UNRECOVERABLE\n");

    raidNode.answer(
        ApiPaths.FSCK, Answers.fsck(new FsckReport.Summary(8, 1, 0, 1, 0), Answers.unknown()));
    assertThat(shell("fsck").exitCode()).isEqualTo(5);
  }

  @Test
  void placementFindsStripesThatShareANodeOrCrowdARack() {
    Run clean = shell("placement");
    assertThat(clean.exitCode()).isZero();
    assertThat(clean.out())
        .contains("2               4               yes            4       /warehouse/a")
        .contains("dn0:9866  /r1   5           6")
        .contains(
            "Audit of all placements: 180000 of 360000 files (50 %) at 50 files/s, to end at"
                + " 2030-06-01T13:00:00Z; 400 units moved; of 200000 stripes 1 share a node, 2"
                + " crowd a rack, 3 are stuck")
        .endsWith(
            "8 stripes below / at 2030-06-01T12:00:00Z: 0 share a node, 0 crowd a rack, 0 not"
                + " audited yet\n");

    raidNode.answer(ApiPaths.PLACEMENT, Answers.placement(1, 0));
    assertThat(shell("placement").exitCode()).isEqualTo(3);
    raidNode.answer(ApiPaths.PLACEMENT, Answers.placement(0, 1));
    assertThat(shell("placement").exitCode()).isEqualTo(3);
  }

  @Test
  void skewTellsHowEvenlyBytesAreSpread() {
    Run run = shell("placement --skew");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("dn0:9866  /r1   5.0 GiB  1.0 GiB  50 %")
        .contains("dn1:9866  /r2   3.0 GiB  1.0 GiB  25 %  leaving")
        .endsWith(
            "Fullest node divided by the average: 1.25 for data, 1.13 for data and parity;"
                + " parity was counted at 2030-06-01T12:00:00Z\n");
  }

  @Test
  void repairsAndHistoryTellWhatWhyAndWhen() {
    assertThat(shell("repairs").out())
        .contains("POSTPONED  [1, 11]  2          2030-06-01T12:00:00Z  namenode  3")
        .contains("dn7 does not answer");
    assertThat(shell("history /warehouse").out())
        .contains("2030-06-01T12:00:00Z  raided  ok      warehouse  10.0 GiB  4.0 GiB");
    assertThat(raidNode.asked()).contains("GET /api/v1/history?limit=100&path=%2Fwarehouse");
  }

  @ParameterizedTest
  @CsvSource({
    "BAD_REQUEST, 1",
    "UNAUTHORIZED, 2",
    "FORBIDDEN, 2",
    "NOT_FOUND, 2",
    "NOT_READY, 2",
    "IO, 2",
    "INTERNAL, 2",
    "REFUSED, 6"
  })
  void theCodeOfAnErrorIsItsExitCode(ErrorCode code, int exitCode) {
    raidNode.answer(ApiPaths.RAID, new ApiError(code, "No", ""));

    assertThat(shell("raid /w --yes")).isEqualTo(new Run(exitCode, "", "raidshell: No\n"));
  }

  @Test
  void aRaidNodeThatDoesNotRunIsOneClearLine() throws IOException {
    int freePort;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      freePort = socket.getLocalPort();
    }
    String url = "http://127.0.0.1:" + freePort;

    assertThat(run("status", "--url", url))
        .isEqualTo(
            new Run(
                2,
                "",
                "raidshell: No RaidNode answers at %s. Is it running (bin/raidnode start)? Another address is given with --url or RAIDNODE_URL.\n"
                    .formatted(url)));
  }

  @Test
  void ofSeveralRaidNodesThoseThatDoNotRunArePassedOver() {
    String down = "http://127.0.0.1:1";
    assertThat(run("status", "--url", down + "," + raidNode.url()).exitCode()).isZero();
    assertThat(run("status", "--url", raidNode.url() + "," + down).exitCode()).isZero();
    assertThat(run("status", "--url", down + "," + down).err())
        .contains("No RaidNode answers at " + down);
  }

  @Test
  void aTokenIsReadFromItsFile(@TempDir Path folder) throws IOException {
    raidNode.demandToken("s3cret");
    Path right = Files.writeString(folder.resolve("right"), "s3cret\n");
    Path wrong = Files.writeString(folder.resolve("wrong"), "guess\n");

    assertThat(shell("status --token-file " + right).exitCode()).isZero();
    assertThat(shell("--token-file " + right + " status").exitCode()).isZero();
    Run refused = new Run(2, "", "raidshell: The token is not the right one. Ask for it.\n");
    assertThat(shell("status --token-file " + wrong)).isEqualTo(refused);
    assertThat(shell("status")).isEqualTo(refused);
    Run missing = shell("status --token-file " + folder.resolve("missing"));
    assertThat(missing.exitCode()).isEqualTo(2);
    assertThat(missing.err()).contains("missing cannot be read: NoSuchFileException");
  }

  @Test
  void theAddressIsTakenFromTheEnvironmentUnlessGiven() {
    // picocli looks a variable up in the system properties before the environment
    System.setProperty("RAIDNODE_URL", raidNode.url());
    try {
      assertThat(run("status").exitCode()).isZero();
      assertThat(run("status", "--url", "nonsense").exitCode()).isEqualTo(1);
    } finally {
      System.clearProperty("RAIDNODE_URL");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "fsk",
        "status extra",
        "explain",
        "raid",
        "unraid",
        "unraid /w --all",
        "unraid /w --purge",
        "unraid /w --remove-root",
        "unraid --purge",
        "unraid /w --abandon /w/a",
        "unraid --all --abandon /w/a --purge",
        "unraid --all --abandon w/a",
        "unraid --all --i-know-that-data-is-lost",
        "quarantine",
        "quarantine restore",
        "quarantine purge",
        "quarantine list relative",
        "repair",
        "repair /w --all",
        "repair --stripe 5",
        "repair --stripe 5/x",
        "repair /w --steal",
        "repair cancel",
        "repair cancel /w --all",
        "repair cancel --all --for ever",
        "repair cancel --stripe 5/0 --for 8d",
        "repairs --watch --interval 0",
        "top --interval 0",
        "top --count 0",
        "savings --depth many",
        "raid relative",
        "files --state melted",
        "files --limit many",
        "files --limit 0",
        "fsck --limit 1001",
        "status --yes",
        "status --url nonsense",
        "daemons --url $,nonsense",
        "status --url ftp://host"
      })
  void aWrongCommandLineAsksNothingAndSaysWhereToLook(String words) {
    Run run =
        words.contains("--url") || words.isEmpty()
            ? run(words.replace("$", raidNode.url()).split(" ", -1))
            : shell(words);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines().findFirst().orElseThrow())
        .startsWith("raidshell: ")
        .contains("ee ");
    assertThat(raidNode.asked()).isEmpty();
  }

  @Test
  void withoutACommandItAsksForOne() {
    assertThat(run())
        .isEqualTo(new Run(1, "", "raidshell: Which command? See 'raidshell --help'.\n"));
  }

  @Test
  void helpIsACommandTooAndKnowsCommandsBelowCommands() {
    assertThat(run("help")).isEqualTo(run("--help"));
    assertThat(run("help", "status")).isEqualTo(run("status", "--help"));
    assertThat(run("help", "quarantine", "purge")).isEqualTo(run("quarantine", "purge", "--help"));
    Run unknown = run("help", "fsk");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("There is no command 'fsk'. There are: ", "fsck");
  }

  @Test
  void aMistypedCommandIsGuessed() {
    assertThat(shell("fscks").err())
        .contains("There is no command 'fscks'. See", "Did you mean: raidshell fsck or");
    assertThat(shell("ls /").err())
        .startsWith("raidshell: There is no command 'ls'. See 'raidshell --help'.");
  }

  @Test
  void verboseShowsTheStackTraceToo() {
    raidNode.answer(ApiPaths.STATUS, new ApiError(ErrorCode.INTERNAL, "Broken", ""));

    assertThat(shell("status").err()).doesNotContain("\tat ");
    assertThat(shell("status --verbose").err())
        .startsWith("raidshell: Broken\n")
        .contains("\tat io.hdfsraid");
  }

  @Test
  void namesThatWouldSteerTheTerminalOrTheTableAreShownHarmless() throws IOException {
    String evil = "/w/\u001b[2Jx\n@|red y|@\u202ez";
    raidNode.answer(ApiPaths.FILES, Page.last(List.of(Answers.file(evil))));

    Run run = shell("files");
    assertThat(run.out()).contains("/w/\\u001b[2Jx\\u000a@\\|red y|@\\u202ez").hasLineCount(2);
    assertThat(JSON.readTree(shell("files --json").out()).at("/items/0/path").asText())
        .isEqualTo(evil);
  }

  /** Without the parameters: {@code quarantine purge} of {@code quarantine purge /warehouse}. */
  private static String commandOf(String words) {
    StringBuilder names = new StringBuilder();
    CommandLine command = commandLine();
    for (String word : words.split(" ", -1)) {
      command = command.getSubcommands().get(word);
      if (command == null) {
        break;
      }
      names.append(names.isEmpty() ? "" : " ").append(word);
    }
    return names.toString();
  }

  @Test
  void theHelpIsAsDocumented() throws IOException {
    StringBuilder help = new StringBuilder(run("--help").out());
    for (String words : (Iterable<String>) commands()::iterator) {
      String command = commandOf(words);
      Run run = run((command + " --help").split(" ", -1));
      assertThat(run.exitCode()).as(command).isZero();
      help.append("\n$ raidshell ").append(command).append(" --help\n").append(run.out());
    }
    Path snapshot = Path.of("src", "test", "resources", "help.txt");
    if (Boolean.getBoolean("snapshot.write")) {
      Files.writeString(snapshot, help);
    }

    assertThat(help.toString())
        .as("after a wanted change run ./mvnw -pl raidshell test -Dsnapshot.write=true")
        .isEqualTo(Files.readString(snapshot, UTF_8));
  }

  @ParameterizedTest
  @CsvSource({
    "ok, 0, ''",
    "refused, 6, 'raidshell: Too dangerous. Do not.'",
    "io, 2, 'raidshell: IOException: disk'",
    "bug, 2, 'raidshell: A bug of raidshell: java.lang.IllegalStateException: oops. Please"
        + " report it with the output of --verbose.'"
  })
  void commandsOfAnotherJarAreFoundAndTreatedAlike(String how, int exitCode, String err) {
    assertThat(run("of-another-jar", how))
        .isEqualTo(new Run(exitCode, "", err.isEmpty() ? "" : err + "\n"));
  }

  /** Registered in {@code META-INF/services} of the test resources. */
  public static final class OtherJar implements ShellCommands {
    @Override
    public List<Object> commands() {
      return List.of(new OfAnotherJar());
    }
  }

  @Command(name = "of-another-jar", description = "A command this jar does not know.")
  static final class OfAnotherJar implements Callable<Integer> {
    @CommandLine.Parameters private String how;

    @Override
    public Integer call() throws IOException {
      return switch (how) {
        case "refused" -> throw new ShellException(ExitCode.REFUSED, "Too dangerous", "Do not.");
        case "io" -> throw new IOException("disk");
        case "bug" -> throw new IllegalStateException("oops");
        default -> ExitCode.OK.number();
      };
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1048575, 1.0 MiB",
    "-5368709120, -5.0 GiB",
    "9223372036854775807, 8.0 EiB",
    "-9223372036854775808, -8.0 EiB"
  })
  void sizesAreReadable(long bytes, String text) {
    assertThat(Screen.bytes(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT59S, 59s",
    "PT61S, 1m1s",
    "PT2H, 2h",
    "PT2H5M7S, 2h5m",
    "P90D, 90d",
    "P1DT5H, 1d5h",
    "PT-61S, -1m1s"
  })
  void durationsAreReadable(Duration duration, String text) {
    assertThat(Screen.duration(duration)).isEqualTo(text);
  }
}
