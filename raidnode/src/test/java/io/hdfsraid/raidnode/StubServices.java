package io.hdfsraid.raidnode;

import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.raidapi.CancelRequest;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.Explanation;
import io.hdfsraid.raidapi.FileDetail;
import io.hdfsraid.raidapi.FileHistogram;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.FileView;
import io.hdfsraid.raidapi.FsckReport;
import io.hdfsraid.raidapi.HistoryEntry;
import io.hdfsraid.raidapi.HoursRequest;
import io.hdfsraid.raidapi.HoursView;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.PauseRequest;
import io.hdfsraid.raidapi.PlacementReport;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.PoliciesView;
import io.hdfsraid.raidapi.QuarantineRequest;
import io.hdfsraid.raidapi.QuarantineView;
import io.hdfsraid.raidapi.RaidRequest;
import io.hdfsraid.raidapi.RaidingOutlook;
import io.hdfsraid.raidapi.RepairProgress;
import io.hdfsraid.raidapi.RepairRequest;
import io.hdfsraid.raidapi.RepairView;
import io.hdfsraid.raidapi.SavingsReport;
import io.hdfsraid.raidapi.ScrubRequest;
import io.hdfsraid.raidapi.SettingsRequest;
import io.hdfsraid.raidapi.SettingsView;
import io.hdfsraid.raidapi.SkewReport;
import io.hdfsraid.raidapi.Space;
import io.hdfsraid.raidapi.Status;
import io.hdfsraid.raidapi.StormAnswer;
import io.hdfsraid.raidapi.StormRequest;
import io.hdfsraid.raidapi.StormView;
import io.hdfsraid.raidapi.TracesReport;
import io.hdfsraid.raidapi.UnraidRequest;
import io.hdfsraid.raidapi.WithdrawRequest;
import io.hdfsraid.raidnode.recency.HistogramCount;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.FilesView;
import io.hdfsraid.raidnode.rest.HealthReports;
import io.hdfsraid.raidnode.rest.HoursDesk;
import io.hdfsraid.raidnode.rest.PolicyAnswers;
import io.hdfsraid.raidnode.rest.QuarantineDesk;
import io.hdfsraid.raidnode.rest.RaidRequests;
import io.hdfsraid.raidnode.rest.RepairDesk;
import io.hdfsraid.raidnode.rest.Services;
import io.hdfsraid.raidnode.rest.SettingsAnswers;
import io.hdfsraid.raidnode.rest.StormDesk;
import io.hdfsraid.raidnode.rest.WithdrawalDesk;
import io.hdfsraid.raidnode.view.DraftedPolicies;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers the REST API with what it was asked; some paths make it fail. */
final class StubServices
    implements FilesView,
        PolicyAnswers,
        HealthReports,
        RaidRequests,
        RepairDesk,
        QuarantineDesk,
        WithdrawalDesk,
        SettingsAnswers,
        StormDesk,
        HoursDesk {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final FileView FILE =
      new FileView(
          7,
          "/data/a",
          10,
          1,
          FileState.RAIDED,
          Optional.of("warehouse"),
          Optional.of("rs-6-3"),
          Optional.empty(),
          "",
          Optional.of(NOW),
          1,
          Optional.of(1),
          1,
          30,
          Optional.empty(),
          Optional.of(NOW),
          Optional.of("4611686018427387904"));

  /** What was asked, in order. */
  final List<String> asked = new ArrayList<>();

  Services services() {
    return new Services(
        this::status,
        this,
        this,
        this,
        this::repairs,
        this,
        this::history,
        this,
        this,
        this,
        this::savings,
        this,
        this,
        this,
        this::outlook,
        this::histogram,
        new DraftedPolicies(Clock.systemUTC(), ZoneOffset.UTC));
  }

  private RaidingOutlook outlook(Optional<String> policy) {
    asked.add("outlook " + policy.orElse("all"));
    return new RaidingOutlook(
        NOW, 9, 0, List.of(), List.of(), new SavingsReport.Left("small", 1, 2, 3));
  }

  private FileHistogram histogram(String below) {
    asked.add("histogram " + below);
    return new HistogramCount(NOW).histogram(below);
  }

  @Override
  public StormAnswer storm() {
    return new StormAnswer(Optional.of(new StormView(NOW, "the power")), false);
  }

  @Override
  public StormAnswer override(StormRequest request) {
    asked.add("override storm " + request.dryRun());
    return new StormAnswer(storm().storm(), !request.dryRun());
  }

  @Override
  public HoursView hours() {
    return new HoursView(Optional.empty(), List.of(), false);
  }

  @Override
  public HoursView override(HoursRequest request) {
    asked.add(request.toString());
    return new HoursView(
        Optional.of(new HoursView.Wanted(request.wish(), NOW.plus(request.time()))),
        List.of(),
        !request.dryRun());
  }

  private Status status() {
    return new Status(
        "0.1.0",
        "CID-1",
        "hdfs://nn",
        new Status.Owner(Status.Owner.State.HELD, "me", Optional.of(NOW)),
        NOW,
        NOW,
        Map.of(FileState.RAIDED, 1L),
        Map.of("TOO_SMALL", 2L),
        new Space(10, 40, 30, -10),
        new Status.Repairs(0, 0, 0, 0, 0, 0),
        RepairProgress.NONE,
        Optional.of(NOW),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of(),
        List.of());
  }

  @Override
  public Page<FileView> list(String below, Optional<FileState> state, Paging paging) {
    asked.add("files %s %s %s".formatted(below, state.map(Enum::name).orElse("any"), paging));
    return new Page<>(List.of(FILE), Optional.of("7"));
  }

  @Override
  public Optional<FileDetail> find(long inode) {
    return inode == 7
        ? Optional.of(new FileDetail(FILE, Optional.empty(), List.of()))
        : Optional.empty();
  }

  @Override
  public PoliciesView policies() {
    return new PoliciesView(
        List.of(
            new PoliciesView.PolicyView(
                "warehouse",
                List.of("/data/**"),
                List.of(),
                Duration.ofDays(90),
                Duration.ofDays(1),
                0,
                "rs-6-3",
                1,
                1,
                Optional.empty(),
                Optional.empty(),
                "raid",
                List.of("owners: hive"),
                "always",
                Optional.empty())),
        List.of("/tmp/**", "/mine/**"),
        10,
        List.of("/tmp/**"),
        "always");
  }

  @Override
  public Explanation explain(String path) throws IOException {
    switch (path) {
      case "/gone" -> throw ApiFailure.notFound("There is no file /gone", "Check the path.");
      case "/nn-down" -> throw new IOException("Connection refused");
      case "/bug" -> throw new IllegalStateException("secret of the implementation");
      default -> asked.add("explain " + path);
    }
    return new Explanation(
        FILE,
        false,
        Optional.of("ALREADY_RAIDED"),
        "It is raided.",
        Optional.empty(),
        List.of(),
        30,
        Optional.empty(),
        Explanation.Use.UNKNOWN,
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  @Override
  public FsckReport fsck(String below, Paging paging) {
    asked.add("fsck " + below);
    return new FsckReport(
        below,
        NOW,
        new FsckReport.Summary(1, 0, 0, 0, 0),
        List.of(),
        List.of(),
        Optional.empty(),
        "");
  }

  @Override
  public PlacementReport placement(String below, Paging paging) {
    asked.add("placement " + below);
    return new PlacementReport(
        below,
        NOW,
        new PlacementReport.Summary(1, 0, 0, 0),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  @Override
  public SkewReport skew() {
    asked.add("skew");
    return new SkewReport(NOW, Optional.empty(), 1.5, 1.25, List.of());
  }

  private Page<RepairView> repairs(Paging paging) {
    asked.add("repairs " + paging.limit());
    return Page.last(List.of());
  }

  private Page<HistoryEntry> history(String below, Paging paging) {
    asked.add("history %s %s".formatted(below, paging.cursor().orElse("start")));
    return Page.last(
        List.of(new HistoryEntry(NOW, "raided", Optional.of(7L), "/a", true, "me", "", 1, 2)));
  }

  @Override
  public PlanView raid(RaidRequest request) throws IOException {
    if (request.path().equals("/refused")) {
      throw new RefusedException("The root is inside an encryption zone");
    }
    asked.add(request.toString());
    return plan(PlanView.Action.RAID, request.path(), request.dryRun());
  }

  @Override
  public PlanView unraid(UnraidRequest request) {
    if (request.path().equals("/full")) {
      throw new ApiFailure(ErrorCode.REFUSED, "There is no room", "Make room.");
    }
    asked.add(request.toString());
    return plan(PlanView.Action.UNRAID, request.path(), request.dryRun());
  }

  @Override
  public PlanView repair(RepairRequest request) {
    asked.add(request.toString());
    return plan(PlanView.Action.REPAIR, request.path(), request.dryRun());
  }

  @Override
  public PlanView scrub(ScrubRequest request) {
    asked.add(request.toString());
    return plan(PlanView.Action.SCRUB, request.path(), request.dryRun());
  }

  @Override
  public PlanView cancel(CancelRequest request) {
    asked.add(request.toString());
    return plan(PlanView.Action.CANCEL, request.subject(), request.dryRun());
  }

  @Override
  public Page<QuarantineView> list(String below, Paging paging) {
    asked.add("quarantine %s %d".formatted(below, paging.limit()));
    return Page.last(List.of());
  }

  @Override
  public PlanView restore(QuarantineRequest request) {
    asked.add("restore " + request);
    return plan(PlanView.Action.RESTORE, request.path(), request.dryRun());
  }

  @Override
  public PlanView purge(QuarantineRequest request) {
    asked.add("purge " + request);
    return plan(PlanView.Action.PURGE, request.path(), request.dryRun());
  }

  @Override
  public PlanView withdraw(WithdrawRequest request) {
    asked.add(request.toString());
    return plan(PlanView.Action.WITHDRAW, "/", request.dryRun());
  }

  @Override
  public PlanView pause(PauseRequest request) {
    asked.add(request.toString());
    return plan(PlanView.Action.PAUSE, "/", request.dryRun());
  }

  @Override
  public TracesReport traces() {
    asked.add("traces");
    return new TracesReport(NOW, "/.raid", true, 1, 0, 0, List.of(), 0, 1, "in force", List.of());
  }

  private SavingsReport savings(String below, int depth, boolean complete) {
    asked.add("savings %s %d %s".formatted(below, depth, complete));
    SavingsReport.Row row = new SavingsReport.Row("total", 1, 10, 30, 14, 4, 1, 14);
    return new SavingsReport(
        below,
        NOW,
        row,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        new SavingsReport.Left("small", 0, 0, 0),
        new SavingsReport.Realised(true, 1, 1, 0));
  }

  @Override
  public SettingsView settings() {
    asked.add("settings");
    return new SettingsView(List.of(), List.of(), false);
  }

  @Override
  public SettingsView change(SettingsRequest request) {
    asked.add(request.toString());
    return new SettingsView(List.of(), List.of(), !request.dryRun());
  }

  private static PlanView plan(PlanView.Action action, String path, boolean dryRun) {
    return new PlanView(
        action,
        path,
        dryRun ? PlanView.Outcome.PLANNED : PlanView.Outcome.ACCEPTED,
        1,
        0,
        10,
        3,
        17,
        List.of(),
        0,
        "");
  }
}
