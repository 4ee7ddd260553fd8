// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.StripeId;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.files.FileHistogram.Amount;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.health.StripeReport;
import io.hdfsraid.raidapi.health.UnitReport;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.mode.FootprintReport;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidapi.placement.AuditProgress;
import io.hdfsraid.raidapi.placement.PlacementReport;
import io.hdfsraid.raidapi.placement.SkewReport;
import io.hdfsraid.raidapi.plan.RaidingPlan;
import io.hdfsraid.raidapi.plan.RaidingPlan.Candidates;
import io.hdfsraid.raidapi.plan.RaidingPlan.PolicyPlan;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidapi.policies.PoliciesReport;
import io.hdfsraid.raidapi.quarantine.QuarantinedParity;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidapi.repairs.RepairProgress;
import io.hdfsraid.raidapi.repairs.RepairStorm;
import io.hdfsraid.raidapi.repairs.StormReport;
import io.hdfsraid.raidapi.savings.SavingsReport;
import io.hdfsraid.raidapi.scrub.ScrubProgress;
import io.hdfsraid.raidapi.settings.SettingsReport;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.standby.FailoverReport;
import io.hdfsraid.raidapi.status.AccessSource;
import io.hdfsraid.raidapi.status.Containers;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidapi.status.ReheatCost;
import io.hdfsraid.raidapi.status.Space;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidapi.status.TransferredBytes;
import io.hdfsraid.raidapi.tasks.TaskProgress;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidapi.windows.WindowStatus;
import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidapi.windows.WindowsRequest.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a RaidNode would answer. */
final class Answers {
  static final Instant NOON = Instant.parse("2030-06-01T12:00:00Z");
  static final long GIB = 1L << 30;

  private static final AccessSource LISTING =
      new AccessSource(
          "listing", Optional.of(NOON.minus(Duration.ofDays(100))), Optional.of(NOON), "");

  private static final AccessSource AUDIT_LOG =
      new AccessSource(
          "audit-log", Optional.of(NOON.minus(Duration.ofDays(9))), Optional.of(NOON), "");

  private Answers() {}

  static Status status(Status.Repairs repairs) {
    return status(repairs, List.of());
  }

  static Status status(Problem... problems) {
    return status(new Status.Repairs(3, 1, 0, 0, 0, 2), List.of(problems));
  }

  static Status status(Status.Repairs repairs, List<Problem> problems) {
    return new Status(
        "0.1.0",
        "CID-1",
        "hdfs://ns1",
        List.of("nn1:8020", "nn2:9000"),
        new Status.Owner(Status.Owner.State.HELD, "raid1:4711", Optional.of(NOON)),
        NOON.minus(Duration.ofHours(75)),
        NOON,
        Map.of(FileState.RAIDED, 12L),
        Map.of("STILL_WARM", 30L),
        new Space(100 * GIB, 140 * GIB, 40 * GIB, 160 * GIB),
        repairs,
        new RepairProgress(
            4,
            3 << 20,
            Optional.of(NOON.plusSeconds(60)),
            List.of(new RepairProgress.Cost(1, 9, 9 * GIB), new RepairProgress.Cost(2, 1, 2 * GIB)),
            Optional.of(new RepairStorm(NOON, "11 DataNodes"))),
        Optional.of(NOON),
        Optional.of(NOON.minus(Duration.ofHours(1))),
        Optional.of(new Status.FullCheck(Optional.of(NOON.minus(Duration.ofHours(26))))),
        Optional.of(audit()),
        List.of(scrub()),
        List.of(LISTING, AUDIT_LOG),
        Optional.of(new ReheatCost(NOON.minus(Duration.ofDays(9)), 120, 40, 30.5, 2, 5 * GIB)),
        List.of(
            new TransferredBytes("raiding", "read", 1 << 20, 5 * GIB, 2 * GIB, 0),
            new TransferredBytes("raiding", "written", 0, 0, 3 * GIB, 0)),
        12_345,
        Optional.of(
            new Containers(
                List.of(
                    new Containers.Job(
                        "application_1893456000000_0007",
                        "http://rm:8088/proxy/application_1893456000000_0007/",
                        NOON.minus(Duration.ofMinutes(3)),
                        "encode",
                        "running",
                        41.7,
                        120,
                        480,
                        200,
                        "",
                        90 * GIB,
                        8 * GIB,
                        2 * GIB)),
                Optional.of("YARN has not taken the job: queue cold does not exist"),
                Optional.of(NOON.plus(Duration.ofMinutes(15))))),
        Optional.of(new Status.Hdfs(NOON, 16, 1, 2, 1, 900 * GIB, 300 * GIB)),
        List.of(
            new Status.JobTimes(
                "scan", false, Optional.of(NOON), Optional.of(NOON.plus(Duration.ofHours(14)))),
            new Status.JobTimes("repair", true, Optional.of(NOON), Optional.of(NOON)),
            new Status.JobTimes(
                "policy cold", true, Optional.of(NOON), Optional.of(NOON.plusSeconds(3_600)))),
        problems);
  }

  private static ScrubProgress scrub() {
    return new ScrubProgress(
        "deep",
        Optional.of(NOON.minus(Duration.ofDays(2))),
        Optional.empty(),
        30,
        120,
        400,
        5 * GIB,
        20 * GIB,
        2.5,
        50e6,
        Optional.of(NOON.plus(Duration.ofDays(6))),
        3,
        1,
        0,
        Optional.of(NOON.minus(Duration.ofDays(40))),
        Optional.of(NOON.minus(Duration.ofDays(1))));
  }

  static PoliciesReport policies() {
    return new PoliciesReport(
        List.of(
            new PoliciesReport.PolicyView(
                "warehouse",
                List.of("/warehouse/**"),
                List.of(),
                Duration.ofDays(90),
                Duration.ofDays(7),
                256L << 20,
                "rs-10-4",
                1,
                1,
                Optional.of("0 0 1 * * ?"),
                Optional.of(NOON),
                "raid",
                List.of("owners: hive"),
                "always",
                Optional.empty())),
        List.of("/tmp/**", "/mine/**"),
        10,
        List.of("/tmp/**"),
        "always");
  }

  static FileSummary file(String path) {
    return file(path, "warehouse");
  }

  static FileSummary file(String path, String policy) {
    return file(path, policy, Optional.empty());
  }

  static FileSummary file(String path, String policy, Optional<String> clientPath) {
    return new FileSummary(
        16386,
        path,
        10 * GIB,
        80,
        FileState.LEFT,
        Optional.of(policy),
        Optional.of("rs-10-4"),
        Optional.of("STILL_WARM"),
        "It was last used yesterday.",
        Optional.of(NOON),
        3,
        Optional.of(1),
        8,
        0,
        Optional.of(NOON),
        Optional.of(NOON),
        Optional.empty(),
        clientPath);
  }

  static Page<FileSummary> files() {
    return new Page<>(List.of(file("/warehouse/a"), file("/warehouse/b")), Optional.of("c2"));
  }

  static FileExplanation explanation() {
    return explanation("STILL_WARM");
  }

  static FileExplanation explanation(String reason) {
    return explanation(file("/warehouse/a"), reason);
  }

  static FileExplanation explanation(FileSummary file, String reason) {
    return explanation(file, Optional.of(reason));
  }

  /**
   * @param whyNot empty if the policies have the file raided
   */
  static FileExplanation explanation(FileSummary file, Optional<String> whyNot) {
    return new FileExplanation(
        file,
        whyNot.isEmpty(),
        whyNot,
        "The file was used recently.",
        Optional.of(NOON.plus(Duration.ofDays(90))),
        List.of(
            new FileExplanation.Asked("excludes", false, "no pattern matches", List.of()),
            new FileExplanation.Asked(
                "warehouse",
                true,
                "its path /warehouse/** matches",
                List.of(
                    new FileExplanation.Answered(
                        "coldAfter",
                        "90d",
                        "NO",
                        "It was last used yesterday.",
                        Optional.of(NOON.plus(Duration.ofDays(89))))))),
        30 * GIB,
        Optional.of(14 * GIB),
        new FileExplanation.Use(
            Optional.of(NOON.minus(Duration.ofDays(1))),
            "its access time in HDFS",
            Optional.of(2.25),
            Optional.of(true),
            Optional.empty(),
            Optional.of("WARM")),
        Optional.of(
            new FileExplanation.Acting(
                "warehouse",
                new WindowStatus(
                    false, 0, Optional.of(NOON.plusSeconds(60)), "outside all windows (UTC)"),
                Optional.of(NOON.plusSeconds(3_600)),
                Optional.of(
                    "63.0 % of the cluster will be occupied once all has left that is to leave;"
                        + " none is raided before it is above 80 %."))),
        Optional.of(
            new FileExplanation.Reheating(
                "warehouse",
                Optional.of(1.96),
                5,
                Duration.ofDays(2),
                NOON.plus(Duration.ofDays(7)),
                Optional.of(NOON.plus(Duration.ofDays(30))))),
        List.of(LISTING));
  }

  static ChangePreview plan(
      ChangePreview.Action action, ChangePreview.Outcome outcome, long refused) {
    return new ChangePreview(
        action,
        "/warehouse",
        outcome,
        2,
        refused,
        10 * GIB,
        4 * GIB,
        16 * GIB,
        List.of(
            new ChangePreview.Item(
                16, "/warehouse/a", "encode 8 stripes", 10 * GIB, 4 * GIB, Optional.empty()),
            new ChangePreview.Item(17, "/warehouse/b", "", 0, 0, Optional.of("TOO_SMALL"))),
        5,
        Map.of("TOO_SMALL", refused),
        "It takes about an hour.");
  }

  static TaskReport task(TaskState state) {
    Optional<Instant> ended = Optional.of(NOON).filter(now -> state.isEnded());
    return new TaskReport(
        "17",
        ChangePreview.Action.RAID,
        "/warehouse",
        state,
        state == TaskState.DONE ? "" : "/warehouse/b: it is open",
        "alice",
        "r-1",
        "too cold",
        NOON,
        Optional.of(NOON),
        ended,
        new TaskProgress(
            25,
            1,
            1,
            4,
            10 * GIB,
            40 * GIB,
            GIB,
            ended.isPresent() ? Optional.empty() : Optional.of(Duration.ofSeconds(30)),
            Optional.of(NOON)),
        Optional.of(plan(ChangePreview.Action.RAID, ChangePreview.Outcome.ACCEPTED, 0)),
        Optional.empty());
  }

  static ChangePreview repairPlan() {
    return new ChangePreview(
        ChangePreview.Action.REPAIR,
        "/warehouse",
        ChangePreview.Outcome.PLANNED,
        1,
        0,
        2 * GIB,
        GIB,
        0,
        List.of(
            new ChangePreview.Item(
                16386,
                "/warehouse/a",
                "Rebuild units {1}",
                2 * GIB,
                GIB,
                Optional.empty(),
                Optional.of(
                    new ChangePreview.StripeRepair(
                        new StripeId(16386, 4),
                        List.of(1),
                        List.of(
                            new ChangePreview.UnitPlace(0, "dn0:9866"),
                            new ChangePreview.UnitPlace(2, "dn2:9866")),
                        List.of(new ChangePreview.UnitPlace(1, "dn7:9866")))))),
        0,
        Map.of(),
        "");
  }

  static FsckReport fsck(FsckReport.Summary summary, FileHealth... files) {
    return new FsckReport("/", NOON, summary, List.of(), List.of(files), Optional.empty(), "");
  }

  static FileHealth degraded() {
    return new FileHealth(
        16386,
        "/warehouse/a",
        "rs-3-2",
        GIB,
        HealthState.DEGRADED,
        1,
        8,
        1,
        0,
        List.of(
            new StripeReport(
                4,
                HealthState.DEGRADED,
                3,
                2,
                List.of(1),
                1,
                List.of(unit(0, UnitReport.State.LIVE), unit(1, UnitReport.State.MISSING)))),
        "");
  }

  static FileHealth unrecoverable() {
    return new FileHealth(
        16387, "/b", "rs-3-2", GIB, HealthState.UNRECOVERABLE, -1, 8, 1, 1 << 20, List.of(), "");
  }

  static FileHealth unknown() {
    return new FileHealth(
        16388, "/c", "rs-3-2", GIB, HealthState.UNKNOWN, -1, 8, 8, 0, List.of(), "no manifest");
  }

  private static UnitReport unit(int unit, UnitReport.State state) {
    boolean live = state == UnitReport.State.LIVE;
    return new UnitReport(
        unit,
        false,
        1073741825L + unit,
        128,
        state,
        live ? Optional.of("dn" + unit + ":9866") : Optional.empty(),
        live ? Optional.of("/r1") : Optional.empty(),
        "");
  }

  static PlacementReport placement(long sharingNode, long crowdingRack) {
    return new PlacementReport(
        "/",
        NOON,
        new PlacementReport.Summary(8, sharingNode, crowdingRack, 0),
        List.of(
            new PlacementReport.StripePlacement(16386, "/warehouse/a", 4, 2, 4, true, List.of())),
        List.of(new PlacementReport.NodeUnits("dn0:9866", "/r1", 5, 6)),
        Optional.of(audit()),
        Optional.empty());
  }

  /** Half done, and to end in an hour. */
  private static AuditProgress audit() {
    return new AuditProgress(
        NOON.minus(Duration.ofHours(1)),
        Optional.empty(),
        180_000,
        360_000,
        50,
        Optional.of(NOON.plus(Duration.ofHours(1))),
        200_000,
        1,
        2,
        3,
        400,
        0);
  }

  static NodesReport nodes() {
    return new NodesReport(
        NOON,
        Optional.empty(),
        List.of(
            node("dn1:9866", NodesReport.State.DEAD, 0),
            node("dn2:9866", NodesReport.State.LIVE, GIB)));
  }

  private static NodesReport.Node node(String name, NodesReport.State state, long bytes) {
    return new NodesReport.Node(
        name,
        name,
        "/r1",
        state,
        Optional.empty(),
        bytes,
        3 * bytes,
        0,
        0,
        0,
        Optional.empty(),
        Optional.empty());
  }

  static SkewReport skew() {
    return new SkewReport(
        NOON,
        Optional.of(NOON),
        1.25,
        1.125,
        List.of(
            new SkewReport.NodeBytes("dn0:9866", "/r1", true, 5 * GIB, GIB, 12 * GIB),
            new SkewReport.NodeBytes("dn1:9866", "/r2", false, 3 * GIB, GIB, 16 * GIB)));
  }

  static WindowsReport windows() {
    return new WindowsReport(
        Optional.of(new WindowsReport.WindowOverride(Mode.OPEN, NOON)),
        List.of(
            new WindowsReport.PolicyWindow(
                "warehouse",
                new WindowStatus(true, 100, Optional.of(NOON), "an operator wants it")),
            new WindowsReport.PolicyWindow(
                "logs", new WindowStatus(false, 0, Optional.empty(), "no window is open"))),
        false);
  }

  static DaemonReport activeDaemon(String process, long epoch, String problem) {
    return new DaemonReport(
        DaemonReport.Role.ACTIVE,
        "1.2.3",
        process,
        NOON,
        Optional.of(epoch),
        Optional.empty(),
        problem);
  }

  static DaemonReport standbyDaemon(Optional<DaemonReport.Index> index, String problem) {
    return new DaemonReport(
        DaemonReport.Role.STANDBY,
        "1.2.3",
        "process 42 on raid2",
        NOON,
        Optional.empty(),
        Optional.of(
            new DaemonReport.Standby(
                "The daemon stands by: process 4711 on raid1 works on this cluster",
                Optional.of("process 4711 on raid1"),
                Optional.of("https://raid1:8090"),
                Duration.ofSeconds(20),
                index)),
        problem);
  }

  static DaemonReport standbyDaemon() {
    return standbyDaemon(
        Optional.of(
            new DaemonReport.Index(
                Optional.of(NOON.minus(Duration.ofHours(9))),
                Optional.of(81234L),
                Optional.of(NOON),
                Optional.of(Duration.ofSeconds(3)),
                "")),
        "");
  }

  static FailoverReport failover() {
    return new FailoverReport("process 4711 on raid1", Optional.of("raid2"), 30, false);
  }

  static StormReport storm() {
    return new StormReport(Optional.of(new RepairStorm(NOON, "11 DataNodes")), false);
  }

  static Page<QueuedRepair> repairs() {
    return Page.last(
        List.of(
            new QueuedRepair(
                16386,
                "/warehouse/a",
                4,
                "rs-10-4",
                List.of(1, 11),
                2,
                QueuedRepair.State.POSTPONED,
                "namenode",
                NOON,
                3,
                "dn7 does not answer",
                Optional.of(NOON),
                GIB)));
  }

  static SettingsReport settings() {
    return new SettingsReport(
        List.of(
            new SettingsReport.Setting("raiding.workers", "3", "2", "files encoded"),
            new SettingsReport.Setting("raiding.bytesPerSecond", "200MB", "200MB", "bytes")),
        List.of(),
        false);
  }

  static Page<HistoryEntry> history() {
    return Page.last(
        List.of(
            new HistoryEntry(
                NOON,
                "raided",
                Optional.of(16386L),
                "/warehouse/a",
                true,
                "warehouse",
                "8 stripes",
                10 * GIB,
                4 * GIB,
                "5f3a0c1b2d4e6f70",
                "cold since spring",
                "candidate, replication 3",
                "raided, replication 1",
                3)));
  }

  static Page<QuarantinedParity> quarantine() {
    return Page.last(
        List.of(
            kept("/warehouse/a", Optional.empty()),
            kept("/warehouse/b", Optional.of("its file is gone"))));
  }

  private static QuarantinedParity kept(String path, Optional<String> unfit) {
    return new QuarantinedParity(
        16386, path, "/.raid/quarantine/002/16386-16400", "rs-10-4", 8, GIB, NOON, NOON, unfit);
  }

  static FootprintReport traces() {
    return new FootprintReport(
        NOON,
        "/.raid",
        true,
        1,
        2,
        0,
        List.of("/.raid/note.txt"),
        1,
        3,
        "paused, withdrawing",
        List.of("3 files wait for their replicas"));
  }

  static FootprintReport noTraces() {
    return new FootprintReport(
        NOON, "/.raid", false, 0, 0, 0, List.of(), 0, 0, "withdrawn since " + NOON, List.of());
  }

  static SavingsReport savings() {
    return new SavingsReport(
        "/warehouse",
        NOON,
        saved("total"),
        List.of(saved("warehouse")),
        List.of(saved("/warehouse/clicks")),
        List.of(saved("rs-10-4")),
        List.of(new SavingsReport.Skipped("STILL_WARM", 7, GIB, 3 * GIB)),
        new SavingsReport.Skipped("small", 4, 1000, 3000),
        new SavingsReport.Measured(false, 1, 2, 1));
  }

  private static SavingsReport.Row saved(String name) {
    return new SavingsReport.Row(name, 2, 10 * GIB, 30 * GIB, 14 * GIB, 4 * GIB, 1, 15 * GIB);
  }

  static RaidingPlan outlook(String engine, long bytesPerSecond) {
    return new RaidingPlan(
        NOON,
        1_000,
        engine,
        bytesPerSecond,
        List.of(
            new PolicyPlan(
                "warehouse",
                new Candidates(20, 100 * GIB, 300 * GIB, 140 * GIB, 900),
                new RaidingPlan.Taken(2, 5 * GIB),
                bytesPerSecond == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(2_868)),
                new WindowStatus(
                    true, 50, Optional.of(NOON.plusSeconds(60)), "within mon-fri 12:00-14:00"),
                Optional.of("above 80 % of the cluster, until below 70 %"),
                Optional.of("63.0 % of the cluster will be occupied")),
            new PolicyPlan(
                "logs",
                Candidates.NONE,
                RaidingPlan.Taken.NONE,
                Optional.empty(),
                new WindowStatus(false, 0, Optional.empty(), "no window is open"),
                Optional.empty(),
                Optional.empty())),
        List.of(new SavingsReport.Skipped("STILL_WARM", 7, GIB, 3 * GIB)),
        new SavingsReport.Skipped("small", 4, 1024, 3072));
  }

  static FileHistogram histogram(boolean accessTimes) {
    Amount young = new Amount(5, GIB, 3 * GIB);
    Amount old = new Amount(2, 20 * GIB, 60 * GIB);
    Amount striped = new Amount(1, 10 * GIB, 0);
    return new FileHistogram(
        "/warehouse",
        NOON,
        accessTimes,
        young.plus(old).plus(striped),
        List.of(
            new FileHistogram.Age("<1d", Duration.ZERO, young, young.plus(old).plus(striped)),
            new FileHistogram.Age(
                ">5y", Duration.ofDays(1825), old.plus(striped), old.plus(striped))),
        List.of(
            new FileHistogram.Size("<1MiB", 1, young),
            new FileHistogram.Size(">10GiB", 10 * GIB, old.plus(striped))),
        List.of(
            new FileHistogram.Cell("<1d", "<1MiB", 3, young),
            new FileHistogram.Cell(">5y", ">10GiB", 0, striped),
            new FileHistogram.Cell(">5y", ">10GiB", 3, old)));
  }
}
