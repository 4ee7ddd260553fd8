package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.AuditView;
import io.hdfsraid.raidapi.Explanation;
import io.hdfsraid.raidapi.FileHealth;
import io.hdfsraid.raidapi.FileHistogram;
import io.hdfsraid.raidapi.FileHistogram.Amount;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.FileView;
import io.hdfsraid.raidapi.FsckReport;
import io.hdfsraid.raidapi.HealthState;
import io.hdfsraid.raidapi.HistoryEntry;
import io.hdfsraid.raidapi.HoursRequest.Wish;
import io.hdfsraid.raidapi.HoursView;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.PlacementReport;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.PoliciesView;
import io.hdfsraid.raidapi.Problem;
import io.hdfsraid.raidapi.QuarantineView;
import io.hdfsraid.raidapi.RaidingOutlook;
import io.hdfsraid.raidapi.RaidingOutlook.Candidates;
import io.hdfsraid.raidapi.RaidingOutlook.Hours;
import io.hdfsraid.raidapi.RaidingOutlook.PolicyOutlook;
import io.hdfsraid.raidapi.ReheatCost;
import io.hdfsraid.raidapi.RepairProgress;
import io.hdfsraid.raidapi.RepairView;
import io.hdfsraid.raidapi.SavingsReport;
import io.hdfsraid.raidapi.ScrubView;
import io.hdfsraid.raidapi.SettingsView;
import io.hdfsraid.raidapi.SkewReport;
import io.hdfsraid.raidapi.SourceView;
import io.hdfsraid.raidapi.Space;
import io.hdfsraid.raidapi.Status;
import io.hdfsraid.raidapi.StormAnswer;
import io.hdfsraid.raidapi.StormView;
import io.hdfsraid.raidapi.StripeHealth;
import io.hdfsraid.raidapi.StripeId;
import io.hdfsraid.raidapi.TracesReport;
import io.hdfsraid.raidapi.TransferView;
import io.hdfsraid.raidapi.UnitView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a RaidNode would answer. */
final class Answers {
  static final Instant NOON = Instant.parse("2030-06-01T12:00:00Z");
  static final long GIB = 1L << 30;

  private static final SourceView LISTING =
      new SourceView(
          "listing", Optional.of(NOON.minus(Duration.ofDays(100))), Optional.of(NOON), "");

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
        "ns1",
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
            Optional.of(new StormView(NOON, "11 DataNodes"))),
        Optional.of(NOON),
        Optional.empty(),
        Optional.of(audit()),
        List.of(scrub()),
        List.of(LISTING),
        Optional.of(new ReheatCost(NOON.minus(Duration.ofDays(9)), 120, 40, 30.5, 2, 5 * GIB)),
        List.of(
            new TransferView("raiding", "read", 1 << 20, 5 * GIB, 2 * GIB, 0),
            new TransferView("raiding", "written", 0, 0, 3 * GIB, 0)),
        problems);
  }

  private static ScrubView scrub() {
    return new ScrubView(
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

  static PoliciesView policies() {
    return new PoliciesView(
        List.of(
            new PoliciesView.PolicyView(
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

  static FileView file(String path) {
    return new FileView(
        16386,
        path,
        10 * GIB,
        80,
        FileState.LEFT,
        Optional.of("warehouse"),
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
        Optional.empty());
  }

  static Page<FileView> files() {
    return new Page<>(List.of(file("/warehouse/a"), file("/warehouse/b")), Optional.of("c2"));
  }

  static Explanation explanation() {
    return new Explanation(
        file("/warehouse/a"),
        false,
        Optional.of("STILL_WARM"),
        "The file was used recently.",
        Optional.of(NOON.plus(Duration.ofDays(90))),
        List.of(
            new Explanation.Asked("excludes", false, "no pattern matches", List.of()),
            new Explanation.Asked(
                "warehouse",
                true,
                "its path /warehouse/** matches",
                List.of(
                    new Explanation.Answered(
                        "coldAfter",
                        "90d",
                        "NO",
                        "It was last used yesterday.",
                        Optional.of(NOON.plus(Duration.ofDays(89))))))),
        30 * GIB,
        Optional.of(14 * GIB),
        new Explanation.Use(
            Optional.of(NOON.minus(Duration.ofDays(1))),
            "its access time in HDFS",
            Optional.of(2.25),
            Optional.of(true),
            Optional.empty(),
            Optional.of("WARM")),
        Optional.of(
            new Explanation.Acting(
                "warehouse",
                new Hours(false, 0, Optional.of(NOON.plusSeconds(60)), "outside all windows (UTC)"),
                Optional.of(NOON.plusSeconds(3_600)),
                Optional.of(
                    "63.0 % of the cluster will be occupied once all has left that is to leave;"
                        + " none is raided before it is above 80 %."))),
        Optional.of(
            new Explanation.Reheating(
                "warehouse",
                Optional.of(1.96),
                5,
                Duration.ofDays(2),
                NOON.plus(Duration.ofDays(7)),
                Optional.of(NOON.plus(Duration.ofDays(30))))),
        List.of(LISTING));
  }

  static PlanView plan(PlanView.Action action, PlanView.Outcome outcome, long refused) {
    return new PlanView(
        action,
        "/warehouse",
        outcome,
        2,
        refused,
        10 * GIB,
        4 * GIB,
        16 * GIB,
        List.of(
            new PlanView.Item(17, "/warehouse/b", "", 0, 0, Optional.of("TOO_SMALL")),
            new PlanView.Item(
                16, "/warehouse/a", "encode 8 stripes", 10 * GIB, 4 * GIB, Optional.empty())),
        5,
        "It takes about an hour.");
  }

  static PlanView repairPlan() {
    return new PlanView(
        PlanView.Action.REPAIR,
        "/warehouse",
        PlanView.Outcome.PLANNED,
        1,
        0,
        2 * GIB,
        GIB,
        0,
        List.of(
            new PlanView.Item(
                16386,
                "/warehouse/a",
                "Rebuild units {1}",
                2 * GIB,
                GIB,
                Optional.empty(),
                Optional.of(
                    new PlanView.StripeRepair(
                        new StripeId(16386, 4),
                        List.of(1),
                        List.of(
                            new PlanView.UnitPlace(0, "dn0:9866"),
                            new PlanView.UnitPlace(2, "dn2:9866")),
                        List.of(new PlanView.UnitPlace(1, "dn7:9866")))))),
        0,
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
            new StripeHealth(
                4,
                HealthState.DEGRADED,
                3,
                2,
                List.of(1),
                1,
                List.of(unit(0, UnitView.State.LIVE), unit(1, UnitView.State.MISSING)))),
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

  private static UnitView unit(int unit, UnitView.State state) {
    boolean live = state == UnitView.State.LIVE;
    return new UnitView(
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
  private static AuditView audit() {
    return new AuditView(
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

  static HoursView hours() {
    return new HoursView(
        Optional.of(new HoursView.Wanted(Wish.OPEN, NOON)),
        List.of(
            new HoursView.PolicyHours(
                "warehouse", new Hours(true, 100, Optional.of(NOON), "an operator wants it")),
            new HoursView.PolicyHours(
                "logs", new Hours(false, 0, Optional.empty(), "no window is open"))),
        false);
  }

  static StormAnswer storm() {
    return new StormAnswer(Optional.of(new StormView(NOON, "11 DataNodes")), false);
  }

  static Page<RepairView> repairs() {
    return Page.last(
        List.of(
            new RepairView(
                16386,
                "/warehouse/a",
                4,
                "rs-10-4",
                List.of(1, 11),
                2,
                RepairView.State.POSTPONED,
                "namenode",
                NOON,
                3,
                "dn7 does not answer",
                Optional.of(NOON),
                GIB)));
  }

  static SettingsView settings() {
    return new SettingsView(
        List.of(
            new SettingsView.Setting("raiding.workers", "3", "2", "files encoded"),
            new SettingsView.Setting("raiding.bytesPerSecond", "200MB", "200MB", "bytes")),
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
                4 * GIB)));
  }

  static Page<QuarantineView> quarantine() {
    return Page.last(
        List.of(
            kept("/warehouse/a", Optional.empty()),
            kept("/warehouse/b", Optional.of("its file is gone"))));
  }

  private static QuarantineView kept(String path, Optional<String> unfit) {
    return new QuarantineView(
        16386, path, "/.raid/quarantine/002/16386-16400", "rs-10-4", 8, GIB, NOON, NOON, unfit);
  }

  static TracesReport traces() {
    return new TracesReport(
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

  static TracesReport noTraces() {
    return new TracesReport(
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
        List.of(new SavingsReport.Left("STILL_WARM", 7, GIB, 3 * GIB)),
        new SavingsReport.Left("small", 4, 1000, 3000),
        new SavingsReport.Realised(false, 1, 2, 1));
  }

  private static SavingsReport.Row saved(String name) {
    return new SavingsReport.Row(name, 2, 10 * GIB, 30 * GIB, 14 * GIB, 4 * GIB, 1, 15 * GIB);
  }

  static RaidingOutlook outlook(long bytesPerSecond) {
    return new RaidingOutlook(
        NOON,
        1_000,
        bytesPerSecond,
        List.of(
            new PolicyOutlook(
                "warehouse",
                new Candidates(20, 100 * GIB, 300 * GIB, 140 * GIB, 900),
                bytesPerSecond == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(2_868)),
                new Hours(
                    true, 50, Optional.of(NOON.plusSeconds(60)), "within mon-fri 12:00-14:00"),
                Optional.of("above 80 % of the cluster, until below 70 %"),
                Optional.of("63.0 % of the cluster will be occupied")),
            new PolicyOutlook(
                "logs",
                Candidates.NONE,
                Optional.empty(),
                new Hours(false, 0, Optional.empty(), "no window is open"),
                Optional.empty(),
                Optional.empty())),
        List.of(new SavingsReport.Left("STILL_WARM", 7, GIB, 3 * GIB)),
        new SavingsReport.Left("small", 4, 1024, 3072));
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
