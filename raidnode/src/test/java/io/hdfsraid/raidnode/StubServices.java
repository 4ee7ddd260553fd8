// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.files.FileDetail;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.FsckRequest;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.history.HistoryQuery;
import io.hdfsraid.raidapi.mode.FootprintReport;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidapi.mode.WithdrawRequest;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidapi.placement.PlacementReport;
import io.hdfsraid.raidapi.placement.SkewReport;
import io.hdfsraid.raidapi.plan.RaidingPlan;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidapi.policies.PoliciesReport;
import io.hdfsraid.raidapi.quarantine.QuarantineRequest;
import io.hdfsraid.raidapi.quarantine.QuarantinedParity;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidapi.repairs.CancelRepairRequest;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidapi.repairs.RepairProgress;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidapi.repairs.RepairStorm;
import io.hdfsraid.raidapi.repairs.StormReport;
import io.hdfsraid.raidapi.repairs.StormRequest;
import io.hdfsraid.raidapi.savings.SavingsReport;
import io.hdfsraid.raidapi.savings.SavingsTrend;
import io.hdfsraid.raidapi.scrub.ScrubRequest;
import io.hdfsraid.raidapi.settings.SettingsReport;
import io.hdfsraid.raidapi.settings.SettingsRequest;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.standby.FailoverReport;
import io.hdfsraid.raidapi.standby.FailoverRequest;
import io.hdfsraid.raidapi.status.Space;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidapi.tasks.CancelTaskRequest;
import io.hdfsraid.raidapi.tasks.TaskProgress;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidapi.windows.WindowsRequest;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.ErrorMapper;
import io.hdfsraid.raidnode.rest.access.MeResource;
import io.hdfsraid.raidnode.rest.codecs.CodecsResource;
import io.hdfsraid.raidnode.rest.codecs.CodecsService;
import io.hdfsraid.raidnode.rest.files.FilesResource;
import io.hdfsraid.raidnode.rest.files.FilesService;
import io.hdfsraid.raidnode.rest.files.HistogramCount;
import io.hdfsraid.raidnode.rest.files.HistogramResource;
import io.hdfsraid.raidnode.rest.files.HistogramService;
import io.hdfsraid.raidnode.rest.health.FsckResource;
import io.hdfsraid.raidnode.rest.health.FsckService;
import io.hdfsraid.raidnode.rest.history.HistoryResource;
import io.hdfsraid.raidnode.rest.history.HistoryService;
import io.hdfsraid.raidnode.rest.mode.ModeResource;
import io.hdfsraid.raidnode.rest.mode.ModeService;
import io.hdfsraid.raidnode.rest.nodes.NodesResource;
import io.hdfsraid.raidnode.rest.nodes.NodesService;
import io.hdfsraid.raidnode.rest.openapi.OpenApiResource;
import io.hdfsraid.raidnode.rest.placement.PlacementResource;
import io.hdfsraid.raidnode.rest.placement.PlacementService;
import io.hdfsraid.raidnode.rest.plan.PlanResource;
import io.hdfsraid.raidnode.rest.plan.PlanService;
import io.hdfsraid.raidnode.rest.policies.PoliciesResource;
import io.hdfsraid.raidnode.rest.policies.PoliciesValidator;
import io.hdfsraid.raidnode.rest.policies.YamlBody;
import io.hdfsraid.raidnode.rest.quarantine.QuarantineResource;
import io.hdfsraid.raidnode.rest.quarantine.QuarantineService;
import io.hdfsraid.raidnode.rest.raiding.RaidingResource;
import io.hdfsraid.raidnode.rest.raiding.RaidingService;
import io.hdfsraid.raidnode.rest.repairs.QueuedRepairs;
import io.hdfsraid.raidnode.rest.repairs.RepairService;
import io.hdfsraid.raidnode.rest.repairs.RepairsResource;
import io.hdfsraid.raidnode.rest.repairs.StormResource;
import io.hdfsraid.raidnode.rest.repairs.StormService;
import io.hdfsraid.raidnode.rest.savings.SavingsResource;
import io.hdfsraid.raidnode.rest.savings.SavingsService;
import io.hdfsraid.raidnode.rest.scrub.ScrubResource;
import io.hdfsraid.raidnode.rest.scrub.ScrubService;
import io.hdfsraid.raidnode.rest.settings.SettingsResource;
import io.hdfsraid.raidnode.rest.settings.SettingsService;
import io.hdfsraid.raidnode.rest.standby.DaemonResource;
import io.hdfsraid.raidnode.rest.standby.FailoverResource;
import io.hdfsraid.raidnode.rest.standby.FailoverService;
import io.hdfsraid.raidnode.rest.status.StatusResource;
import io.hdfsraid.raidnode.rest.tasks.ChangeAnswers;
import io.hdfsraid.raidnode.rest.tasks.StartedOnce;
import io.hdfsraid.raidnode.rest.tasks.TaskService;
import io.hdfsraid.raidnode.rest.tasks.TasksResource;
import io.hdfsraid.raidnode.rest.version.VersionResource;
import io.hdfsraid.raidnode.rest.windows.WindowsResource;
import io.hdfsraid.raidnode.rest.windows.WindowsService;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Services of the REST API that answer with what they were asked; some paths make them fail. */
final class StubServices {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final FileSummary FILE = file("/data/a");

  /** The only file that the services know, unless there are {@link #manyFiles}. */
  FileSummary file = FILE;

  /** What is listed instead. */
  List<FileSummary> manyFiles = List.of();

  List<QueuedRepair> repairs = List.of();

  private static final SettingsReport.Setting WORKERS =
      new SettingsReport.Setting("repair.workers", "4", "4", "stripes repaired at the same time");

  static FileSummary file(String path) {
    return new FileSummary(
        7,
        path,
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
        Optional.of("4611686018427387904"),
        Optional.of("/clients" + path));
  }

  private static final ChangePreview REFUSED =
      new ChangePreview(
          ChangePreview.Action.RAID,
          "/all-refused",
          ChangePreview.Outcome.REFUSED,
          1,
          1,
          0,
          0,
          0,
          List.of(
              new ChangePreview.Item(
                  7, "/all-refused/a", "It is open", 0, 0, Optional.of("OPEN_FOR_WRITE"))),
          0,
          Map.of("OPEN_FOR_WRITE", 1L),
          "");

  /** The tasks of accepted changes, by id. */
  final Map<String, TaskReport> accepted = new ConcurrentHashMap<>();

  /** What was asked, in order. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  /** Who asked for changes, in order. */
  final List<String> askers = new ArrayList<>();

  /** The resources of the daemon, with services that answer without an HDFS. */
  List<Object> resources() {
    return List.of(
        new ErrorMapper(),
        new ChangeAnswers(),
        new StartedOnce(id -> Optional.ofNullable(accepted.get(id)), Clock.systemUTC()),
        new TasksResource(new TasksStub()),
        new YamlBody(),
        new OpenApiResource(),
        new VersionResource(Versions.report()),
        new MeResource(),
        new CodecsResource(new CodecsService(StubServices::policies)),
        new NodesResource(new NodesStub()),
        new StatusResource(StubServices::status),
        new FilesResource(new FilesStub()),
        new HistogramResource(new HistogramStub()),
        new HistoryResource(new HistoryStub()),
        new FsckResource(new FsckStub()),
        new PlacementResource(new PlacementStub()),
        new PoliciesResource(
            StubServices::policies,
            this::explain,
            new PoliciesValidator(Clock.systemUTC(), ZoneOffset.UTC)),
        new PlanResource(new PlanStub()),
        new WindowsResource(new WindowsStub()),
        new RaidingResource(new RaidingStub()),
        new ScrubResource(new ScrubStub()),
        new RepairsResource(new QueueStub(), new RepairsStub()),
        new StormResource(new StormStub()),
        new DaemonResource(StubServices::daemon),
        new FailoverResource(new FailoverStub()),
        new QuarantineResource(new QuarantineStub()),
        new ModeResource(new ModeStub()),
        new SavingsResource(new SavingsStub()),
        new SettingsResource(new SettingsStub()));
  }

  private static Status status() {
    return new Status(
        "0.1.0",
        "CID-1",
        "hdfs://nn",
        List.of(),
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
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of(),
        0,
        Optional.empty(),
        Optional.of(new Status.Hdfs(NOW, 3, 1, 0, 0, 70, 30)),
        List.of(new Status.JobTimes("scan", false, Optional.empty(), Optional.of(NOW))),
        List.of());
  }

  private static DaemonReport daemon() {
    return new DaemonReport(
        DaemonReport.Role.ACTIVE,
        "1.2.3",
        "process 1 on here",
        NOW,
        Optional.of(3L),
        Optional.empty(),
        "");
  }

  private static <T> Page<T> page(List<T> all, Paging paging) {
    int from = paging.cursor().map(Integer::parseInt).orElse(0);
    int to = Math.min(all.size(), from + paging.limit());
    return new Page<>(
        all.subList(from, to),
        to == all.size() ? Optional.empty() : Optional.of(Integer.toString(to)));
  }

  private static final class NodesStub extends NodesService {
    NodesStub() {
      super(null, null, null, null);
    }

    @Override
    public NodesReport nodes() {
      return new NodesReport(
          NOW,
          Optional.empty(),
          List.of(
              new NodesReport.Node(
                  "10.0.0.1:9866",
                  "dn1",
                  "/rack1",
                  NodesReport.State.SILENT,
                  Optional.of(NOW),
                  70,
                  30,
                  40,
                  5,
                  1,
                  Optional.of(NOW),
                  Optional.empty())));
    }
  }

  private final class FilesStub extends FilesService {
    FilesStub() {
      super(null, null, null, null);
    }

    @Override
    public Page<FileSummary> list(String below, Optional<FileState> state, Paging paging) {
      asked.add("files %s %s %s".formatted(below, state.map(Enum::name).orElse("any"), paging));
      return manyFiles.isEmpty()
          ? new Page<>(List.of(file), Optional.of("7"))
          : page(manyFiles, paging);
    }

    @Override
    public Optional<FileDetail> find(long inode) {
      return inode == 7
          ? Optional.of(new FileDetail(file, Optional.empty(), List.of()))
          : Optional.empty();
    }
  }

  private final class HistogramStub extends HistogramService {
    HistogramStub() {
      super(null, null, null);
    }

    @Override
    public FileHistogram histogram(String below) {
      asked.add("histogram " + below);
      return new HistogramCount(NOW).histogram(below);
    }
  }

  private final class HistoryStub extends HistoryService {
    HistoryStub() {
      super(null);
    }

    @Override
    public Page<HistoryEntry> list(HistoryQuery wanted, Paging paging) {
      asked.add("history %s %s".formatted(wanted.below(), paging.cursor().orElse("start")));
      return Page.last(
          List.of(
              new HistoryEntry(
                  NOW, "raided", Optional.of(7L), "/a", true, "me", "", 1, 2, "", "", "", "", 3)));
    }
  }

  private final class FsckStub extends FsckService {
    FsckStub() {
      super(null, null, null, null, null, null, null);
    }

    @Override
    public TaskReport start(FsckRequest request, String by) {
      askers.add(by);
      asked.add("start fsck " + request.path());
      String id = Integer.toString(accepted.size() + 1);
      accepted.put(id, task(id, Optional.empty()));
      return accepted.get(id);
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
  }

  private final class PlacementStub extends PlacementService {
    PlacementStub() {
      super(null, null, null, null, null, null, null);
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
  }

  private static PoliciesReport policies() {
    return new PoliciesReport(
        List.of(
            new PoliciesReport.PolicyView(
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

  private FileExplanation explain(String path) throws IOException {
    switch (path) {
      case "/gone" -> throw ApiFailure.notFound("There is no file /gone", "Check the path.");
      case "/nn-down" -> throw new IOException("Connection refused");
      case "/bug" -> throw new IllegalStateException("secret of the implementation");
      default -> asked.add("explain " + path);
    }
    return new FileExplanation(
        file,
        false,
        Optional.of("ALREADY_RAIDED"),
        "It is raided.",
        Optional.empty(),
        List.of(),
        30,
        Optional.empty(),
        FileExplanation.Use.UNKNOWN,
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  private final class PlanStub extends PlanService {
    PlanStub() {
      super(null, null, null, null, null, null);
    }

    @Override
    public RaidingPlan plan(Optional<String> policy) {
      asked.add("outlook " + policy.orElse("all"));
      return new RaidingPlan(
          NOW, 9, "local", 0, List.of(), List.of(), new SavingsReport.Skipped("small", 1, 2, 3));
    }
  }

  private final class WindowsStub extends WindowsService {
    WindowsStub() {
      super(null, null, null, null);
    }

    @Override
    public WindowsReport windows() {
      return new WindowsReport(Optional.empty(), List.of(), false);
    }

    @Override
    public WindowsReport override(WindowsRequest request, String by) {
      askers.add(by);
      asked.add(request.toString());
      return new WindowsReport(
          Optional.of(
              new WindowsReport.WindowOverride(request.mode(), NOW.plus(request.duration()))),
          List.of(),
          !request.dryRun());
    }
  }

  private final class RaidingStub extends RaidingService {
    RaidingStub() {
      super(null, null, null, null, null, null, null);
    }

    @Override
    public ChangePreview raid(RaidRequest request, String by) throws IOException {
      if (request.path().equals("/refused")) {
        throw new RefusedException("The root is inside an encryption zone");
      }
      askers.add(by);
      asked.add(request.toString());
      return plan(ChangePreview.Action.RAID, request.path(), request.dryRun());
    }

    @Override
    public ChangePreview unraid(UnraidRequest request, String by) {
      if (request.path().equals("/full")) {
        throw new ApiFailure(ErrorCode.REFUSED, "There is no room", "Make room.");
      }
      askers.add(by);
      asked.add(request.toString());
      return plan(ChangePreview.Action.UNRAID, request.path(), request.dryRun());
    }
  }

  private final class ScrubStub extends ScrubService {
    ScrubStub() {
      super(null, null, null, null, null);
    }

    @Override
    public ChangePreview scrub(ScrubRequest request, String by) {
      askers.add(by);
      asked.add(request.toString());
      return plan(ChangePreview.Action.SCRUB, request.path(), request.dryRun());
    }
  }

  private final class QueueStub extends QueuedRepairs {
    QueueStub() {
      super(null);
    }

    @Override
    public Page<QueuedRepair> list(Paging paging) {
      asked.add("repairs " + paging.limit());
      return page(repairs, paging);
    }
  }

  private final class RepairsStub extends RepairService {
    RepairsStub() {
      super(null, null, null, null, null);
    }

    @Override
    public ChangePreview repair(RepairRequest request, String by) {
      askers.add(by);
      asked.add(request.toString());
      return plan(ChangePreview.Action.REPAIR, request.path(), request.dryRun());
    }

    @Override
    public ChangePreview cancel(CancelRepairRequest request, String by) {
      askers.add(by);
      asked.add(request.toString());
      return plan(ChangePreview.Action.CANCEL, request.subject(), request.dryRun());
    }
  }

  private final class FailoverStub extends FailoverService {
    FailoverStub() {
      super(null, true, null, null);
    }

    @Override
    public FailoverReport failover(FailoverRequest request, String by) {
      askers.add(by);
      asked.add("failover %s %s".formatted(request.to().orElse("-"), request.dryRun()));
      return new FailoverReport("process 1 on here", request.to(), 30, !request.dryRun());
    }
  }

  private final class StormStub extends StormService {
    StormStub() {
      super(null);
    }

    @Override
    public StormReport storm() {
      return new StormReport(Optional.of(new RepairStorm(NOW, "the power")), false);
    }

    @Override
    public StormReport override(StormRequest request, String by) {
      askers.add(by);
      asked.add("override storm " + request.dryRun());
      return new StormReport(storm().storm(), !request.dryRun());
    }
  }

  private final class QuarantineStub extends QuarantineService {
    QuarantineStub() {
      super(null, null, null, null, null);
    }

    @Override
    public Page<QuarantinedParity> list(String below, Paging paging) {
      asked.add("quarantine %s %d".formatted(below, paging.limit()));
      return Page.last(List.of());
    }

    @Override
    public ChangePreview restore(QuarantineRequest request, String by) {
      askers.add(by);
      asked.add("restore " + request);
      return plan(ChangePreview.Action.RESTORE, request.path(), request.dryRun());
    }

    @Override
    public ChangePreview purge(QuarantineRequest request, String by) {
      askers.add(by);
      asked.add("purge " + request);
      return plan(ChangePreview.Action.PURGE, request.path(), request.dryRun());
    }
  }

  private final class ModeStub extends ModeService {
    ModeStub() {
      super(null, null, null, null, null, null, null);
    }

    @Override
    public ChangePreview withdraw(WithdrawRequest request, String by) {
      askers.add(by);
      asked.add(request.toString());
      return plan(ChangePreview.Action.WITHDRAW, "/", request.dryRun());
    }

    @Override
    public ChangePreview pause(PauseRequest request, String by, Optional<String> noAdmin) {
      askers.add(by);
      asked.add(request.toString());
      return plan(ChangePreview.Action.PAUSE, "/", request.dryRun());
    }

    @Override
    public FootprintReport footprint() {
      asked.add("traces");
      return new FootprintReport(
          NOW, "/.raid", true, 1, 0, 0, List.of(), 0, 1, "in force", List.of());
    }
  }

  private final class SavingsStub extends SavingsService {
    SavingsStub() {
      super(null, null, null, null, null);
    }

    @Override
    public SavingsReport savings(String below, int depth, boolean complete) {
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
          new SavingsReport.Skipped("small", 0, 0, 0),
          new SavingsReport.Measured(true, 1, 1, 0));
    }

    @Override
    public SavingsTrend days() {
      asked.add("savings by day");
      LocalDate last = LocalDate.ofInstant(NOW, ZoneOffset.UTC);
      return new SavingsTrend(
          List.of(
              new SavingsTrend.Day(
                  last.minusDays(9),
                  1,
                  10,
                  14,
                  16,
                  Map.of("warehouse", 16L),
                  List.of(new SavingsTrend.Directory("/data/a", 16))),
              new SavingsTrend.Day(
                  last,
                  2,
                  20,
                  28,
                  32,
                  Map.of("warehouse", 32L),
                  List.of(new SavingsTrend.Directory("/data/a", 32)))));
    }
  }

  private final class SettingsStub extends SettingsService {
    SettingsStub() {
      super(null, null, null, null);
    }

    @Override
    public synchronized SettingsReport settings() {
      asked.add("settings");
      return new SettingsReport(List.of(WORKERS), List.of(), false);
    }

    @Override
    public synchronized SettingsReport change(SettingsRequest request, String by) {
      askers.add(by);
      asked.add(request.toString());
      return new SettingsReport(
          List.of(WORKERS),
          request.values().entrySet().stream()
              .map(each -> new SettingsReport.Change(each.getKey(), "4", each.getValue()))
              .toList(),
          !request.dryRun());
    }
  }

  private ChangePreview plan(ChangePreview.Action action, String path, boolean dryRun) {
    if (path.equals("/all-refused")) {
      return REFUSED;
    }
    ChangePreview plan =
        new ChangePreview(
            action,
            path,
            dryRun ? ChangePreview.Outcome.PLANNED : ChangePreview.Outcome.ACCEPTED,
            1,
            10,
            3,
            17,
            "");
    boolean isTask = !dryRun && !path.equals("/now") && action != ChangePreview.Action.CANCEL;
    return isTask ? accept(plan) : plan;
  }

  private ChangePreview accept(ChangePreview plan) {
    String id = Integer.toString(accepted.size() + 1);
    ChangePreview change = plan.acceptedAs(id);
    accepted.put(id, task(id, Optional.of(change)));
    return change;
  }

  private static TaskReport task(String id, Optional<ChangePreview> change) {
    return new TaskReport(
        id,
        ChangePreview.Action.RAID,
        "/data",
        TaskState.RUNNING,
        "",
        "alice",
        "r1",
        "",
        NOW,
        Optional.of(NOW),
        Optional.empty(),
        new TaskProgress(
            50, 1, 0, 2, 5, 10, 1, Optional.of(Duration.ofSeconds(5)), Optional.of(NOW)),
        change,
        Optional.empty());
  }

  private final class TasksStub extends TaskService {
    TasksStub() {
      super(null);
    }

    @Override
    public Page<TaskReport> list(Optional<TaskState> state, Paging paging) {
      asked.add("tasks %s %d".formatted(state.map(Enum::name).orElse("any"), paging.limit()));
      return new Page<>(List.of(task("1", Optional.empty())), Optional.of("1"));
    }

    @Override
    public TaskReport find(String id) {
      if (id.equals("404")) {
        throw ApiFailure.notFound("There is no task 404", "Look again.");
      }
      return Optional.ofNullable(accepted.get(id)).orElseGet(() -> task(id, Optional.empty()));
    }

    @Override
    public ChangePreview cancel(String id, CancelTaskRequest request, String by) {
      askers.add(by);
      asked.add("cancel task " + id + " " + request.dryRun());
      return plan(ChangePreview.Action.CANCEL, "/data", request.dryRun());
    }
  }
}
