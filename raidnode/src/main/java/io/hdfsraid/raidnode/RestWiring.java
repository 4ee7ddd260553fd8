// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidnode.access.PermittedPaths;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.health.DataNodesWatch;
import io.hdfsraid.raidnode.health.NameNodeWatch;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.rest.ErrorMapper;
import io.hdfsraid.raidnode.rest.OutageFeature;
import io.hdfsraid.raidnode.rest.RaidedFiles;
import io.hdfsraid.raidnode.rest.access.MeResource;
import io.hdfsraid.raidnode.rest.access.ViewFilter;
import io.hdfsraid.raidnode.rest.codecs.CodecsResource;
import io.hdfsraid.raidnode.rest.codecs.CodecsService;
import io.hdfsraid.raidnode.rest.files.FileSummaries;
import io.hdfsraid.raidnode.rest.files.FilesResource;
import io.hdfsraid.raidnode.rest.files.FilesService;
import io.hdfsraid.raidnode.rest.files.HistogramResource;
import io.hdfsraid.raidnode.rest.files.HistogramService;
import io.hdfsraid.raidnode.rest.files.JudgedFiles;
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
import io.hdfsraid.raidnode.rest.policies.FileExplainer;
import io.hdfsraid.raidnode.rest.policies.PoliciesResource;
import io.hdfsraid.raidnode.rest.policies.PoliciesValidator;
import io.hdfsraid.raidnode.rest.policies.PolicyList;
import io.hdfsraid.raidnode.rest.policies.PolicyOutlook;
import io.hdfsraid.raidnode.rest.policies.YamlBody;
import io.hdfsraid.raidnode.rest.quarantine.QuarantineResource;
import io.hdfsraid.raidnode.rest.quarantine.QuarantineService;
import io.hdfsraid.raidnode.rest.raiding.RaidingResource;
import io.hdfsraid.raidnode.rest.raiding.RaidingService;
import io.hdfsraid.raidnode.rest.repairs.QueuedRepairs;
import io.hdfsraid.raidnode.rest.repairs.RepairService;
import io.hdfsraid.raidnode.rest.repairs.RepairWork;
import io.hdfsraid.raidnode.rest.repairs.RepairsResource;
import io.hdfsraid.raidnode.rest.repairs.StormResource;
import io.hdfsraid.raidnode.rest.repairs.StormService;
import io.hdfsraid.raidnode.rest.savings.SavingsResource;
import io.hdfsraid.raidnode.rest.savings.SavingsService;
import io.hdfsraid.raidnode.rest.scrub.ScrubResource;
import io.hdfsraid.raidnode.rest.scrub.ScrubService;
import io.hdfsraid.raidnode.rest.scrub.ScrubSummary;
import io.hdfsraid.raidnode.rest.settings.SettingsResource;
import io.hdfsraid.raidnode.rest.settings.SettingsService;
import io.hdfsraid.raidnode.rest.standby.ActiveDaemon;
import io.hdfsraid.raidnode.rest.standby.DaemonResource;
import io.hdfsraid.raidnode.rest.standby.FailoverResource;
import io.hdfsraid.raidnode.rest.standby.FailoverService;
import io.hdfsraid.raidnode.rest.status.CatalogSummary;
import io.hdfsraid.raidnode.rest.status.DaemonProblems;
import io.hdfsraid.raidnode.rest.status.ExcessProblems;
import io.hdfsraid.raidnode.rest.status.IntegritySummary;
import io.hdfsraid.raidnode.rest.status.ModeProblems;
import io.hdfsraid.raidnode.rest.status.OwnerSummary;
import io.hdfsraid.raidnode.rest.status.RepairProblems;
import io.hdfsraid.raidnode.rest.status.StatusResource;
import io.hdfsraid.raidnode.rest.status.StatusService;
import io.hdfsraid.raidnode.rest.status.TransferSummary;
import io.hdfsraid.raidnode.rest.tasks.ChangeAnswers;
import io.hdfsraid.raidnode.rest.tasks.StartedOnce;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.rest.tasks.TaskService;
import io.hdfsraid.raidnode.rest.tasks.Tasks;
import io.hdfsraid.raidnode.rest.tasks.TasksResource;
import io.hdfsraid.raidnode.rest.version.VersionResource;
import io.hdfsraid.raidnode.rest.windows.WindowsResource;
import io.hdfsraid.raidnode.rest.windows.WindowsService;
import io.hdfsraid.raidnode.scrub.FirstReads;
import io.hdfsraid.raidnode.select.RaidedUse;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Puts the REST API together: for each feature a resource, and the service that answers it. */
final class RestWiring {
  /**
   * The tasks that may wait in one queue; further requests are refused. The task that runs does not
   * count.
   */
  private static final int WAITING_TASKS = 100;

  /** The checks that may wait: viewers may start them, too. */
  private static final int WAITING_CHECKS = 10;

  private final RaidNodeConfiguration node;
  private final String nameservice;
  private final HdfsCluster cluster;
  private final Catalog catalog;
  private final JobWiring jobs;
  private final Timetable timetable;
  private final NameNodeWatch nameNode;
  private final Opened opened;
  private final Clock clock;

  /** When this daemon became the active one. */
  private final Instant activeSince;

  RestWiring(
      RaidNodeConfiguration node,
      String nameservice,
      HdfsCluster cluster,
      Catalog catalog,
      JobWiring jobs,
      Timetable timetable,
      NameNodeWatch nameNode,
      Opened opened,
      Clock clock) {
    this.node = node;
    this.nameservice = nameservice;
    this.cluster = cluster;
    this.catalog = catalog;
    this.jobs = jobs;
    this.timetable = timetable;
    this.nameNode = nameNode;
    this.opened = opened;
    this.clock = clock;
    this.activeSince = clock.instant();
  }

  /** Returns what is to be registered with the HTTP framework. */
  List<Object> resources() throws IOException {
    List<DataNodesWatch.Seen> unusedNodes = jobs.detection().dataNodes().look();
    List<Object> all = new ArrayList<>(answering());
    if (node.api().limitsViews()) {
      all.add(
          new ViewFilter(
              new PermittedPaths(
                  opened.add(cluster.permissions()),
                  () -> nameNode.outage().filter(away -> away.trouble().silent()).isEmpty())));
    }
    return all;
  }

  private List<Object> answering() {
    JudgedFiles files =
        new JudgedFiles(catalog, jobs.select().policies(), jobs.select().recency(), clock);
    FileSummaries summaries =
        new FileSummaries(jobs.select().policies()::policies, catalog.groups(), clientPaths());
    PolicyList policies = new PolicyList(jobs.select().policies()::policies, timetable::nextRun);
    RaidedFiles raided = new RaidedFiles(catalog, cluster.listing()::exists);
    Tasks tasks = new Tasks(catalog.tasks(), clock);
    TaskQueue changes = queue(tasks);
    TaskQueue repairs = queue(tasks);
    TaskQueue scrubs = queue(tasks);
    FsckService fsck =
        new FsckService(
            cluster.listing(),
            catalog,
            cluster.access(),
            jobs.detection().check(),
            jobs.detection().recorder(),
            opened.add(new TaskQueue(tasks, nameNode, WAITING_CHECKS)),
            clock);
    OutageFeature outage =
        new OutageFeature(
            () -> nameNode.outage().map(gone -> gone.sentence(clock.instant())), nameNode);
    return List.of(
        new ErrorMapper(outage),
        outage,
        new ChangeAnswers(),
        new StartedOnce(tasks::find, clock),
        new TasksResource(new TaskService(tasks)),
        new YamlBody(),
        new OpenApiResource(),
        new VersionResource(Versions.report()),
        new MeResource(),
        new CodecsResource(new CodecsService(policies::view)),
        new NodesResource(
            new NodesService(
                jobs.detection().dataNodes(), jobs.raiding().parityBytes()::on, catalog, clock)),
        new StatusResource(status()::status),
        new FilesResource(new FilesService(catalog, files, summaries, fsck::of)),
        new HistogramResource(new HistogramService(catalog, node.hdfs().root(), clock)),
        new HistoryResource(new HistoryService(catalog)),
        new FsckResource(fsck),
        new PlacementResource(placement(raided)),
        new PoliciesResource(
            policies::view,
            explainer(policies, summaries)::explain,
            new PoliciesValidator(clock, node.schedule().timeZone())),
        new PlanResource(plan()),
        new WindowsResource(
            new WindowsService(
                jobs.select().hours(), jobs.select().policies(), catalog.history(), clock)),
        new RaidingResource(
            new RaidingService(
                cluster.listing(),
                catalog,
                jobs.select().policies(),
                jobs.upkeep().mode(),
                new RaidingService.Jobs(
                    jobs.raiding().pipelines().raider(),
                    jobs.select().raider(),
                    jobs.upkeep().reconciler(),
                    jobs.upkeep().byHand(),
                    jobs.select().recency()::listSoon),
                raided,
                changes)),
        new ScrubResource(
            new ScrubService(
                raided,
                jobs.upkeep().reconciler(),
                jobs.scrub()::requested,
                jobs.tuning()::now,
                scrubs)),
        new RepairsResource(
            new QueuedRepairs(catalog),
            new RepairService(
                raided,
                catalog,
                new RepairService.Jobs(
                    jobs.detection().stripes(), jobs.repair().job(), jobs.upkeep().reconciler()),
                new RepairService.Queues(repairs, scrubs),
                clock)),
        new StormResource(new StormService(jobs.repair().storms())),
        new DaemonResource(activeDaemon()::report),
        new FailoverResource(
            new FailoverService(
                cluster.owner().orElseThrow(), node.standby().enabled(), catalog.history(), clock)),
        new QuarantineResource(
            new QuarantineService(
                jobs.upkeep().quarantine(),
                jobs.upkeep().mode(),
                catalog,
                jobs.upkeep().byHand(),
                changes)),
        new ModeResource(mode(queue(tasks))),
        new SavingsResource(
            new SavingsService(
                catalog, files, cluster.access().namespace(), cluster.access().parity(), clock)),
        new SettingsResource(new SettingsService(node, catalog, jobs.tuning()::apply, clock)));
  }

  private Function<String, Optional<String>> clientPaths() {
    List<URI> routers = node.hdfs().routers();
    return routers.isEmpty()
        ? path -> Optional.empty()
        : opened.add(cluster.mounts(routers))::clientPath;
  }

  private TaskQueue queue(Tasks tasks) {
    return opened.add(new TaskQueue(tasks, nameNode, WAITING_TASKS));
  }

  private ActiveDaemon activeDaemon() {
    OwnerFile owner = cluster.owner().orElseThrow();
    return new ActiveDaemon(owner.holder(), activeSince, owner::epoch, owner::ownership);
  }

  private StatusService status() {
    StatusService.Identity identity =
        new StatusService.Identity(
            Build.current().version(),
            cluster.access().clusterId(),
            nameservice,
            cluster.nameNodes(),
            clock.instant());
    OwnerSummary owner =
        new OwnerSummary(cluster.holder(), activeSince, cluster.owner().orElseThrow()::ownership);
    UnauditedStripes unaudited = jobs.raiding().pipelines().unaudited();
    CatalogSummary summary = new CatalogSummary(catalog, unaudited::excess);
    RepairWork repairs = new RepairWork(catalog, jobs.repair().job(), jobs.repair().storms());
    ScrubSummary scrubs =
        new ScrubSummary(catalog, new FirstReads(catalog.scrubs(), HdfsWiring.scrub(node)));
    DaemonProblems problems =
        new DaemonProblems(
            nameNode::outage,
            owner,
            new ModeProblems(jobs.upkeep().mode(), jobs.select().hours()),
            new RepairProblems(jobs.repair().storms()::current, summary),
            new ExcessProblems(unaudited, node.placement().triggerBlockReports()),
            scrubs,
            timetable::policiesFile,
            timetable.schedule()::reports,
            jobs.select().recency()::sources);
    return new StatusService(
        identity,
        owner,
        summary,
        new StatusService.Work(
            new IntegritySummary(catalog.notes(), jobs.select().recency()::reportsChangesSince),
            repairs,
            scrubs,
            new TransferSummary(jobs.tuning().traffic().totals()),
            cluster.calls()::total,
            jobs.containers(),
            jobs.detection().dataNodes(),
            timetable.schedule()::reports),
        jobs.select().recency()::sources,
        problems,
        clock);
  }

  private PlacementService placement(RaidedFiles raided) {
    return new PlacementService(
        raided,
        catalog,
        cluster.access(),
        jobs.detection().check(),
        jobs.raiding().placement(),
        jobs.raiding().parityBytes(),
        clock);
  }

  private FileExplainer explainer(PolicyList policies, FileSummaries summaries) {
    PolicyOutlook outlook =
        new PolicyOutlook(
            policies,
            jobs.select().policies(),
            jobs.select().hours(),
            jobs.select().capacity(),
            new RaidedUse(catalog.earlierUse(), clock),
            clock);
    return new FileExplainer(
        cluster.listing()::file,
        catalog,
        jobs.select().policies(),
        jobs.select().recency(),
        outlook,
        summaries,
        clock);
  }

  private PlanService plan() {
    return new PlanService(
        catalog.notes(),
        catalog.files(),
        jobs.select().policies(),
        jobs.select().hours(),
        jobs.select().capacity(),
        jobs.tuning()::now);
  }

  private ModeService mode(TaskQueue withdrawals) {
    ModeService mode =
        new ModeService(
            jobs.upkeep().withdrawal(),
            cluster.access().parity(),
            cluster.access().namespace(),
            catalog,
            node.hdfs().root(),
            withdrawals,
            clock);
    mode.takeUp();
    return mode;
  }
}
