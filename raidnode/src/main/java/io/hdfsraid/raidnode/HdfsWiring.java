package io.hdfsraid.raidnode;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Vantage;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.config.PoliciesWatch;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.health.CatalogHealth;
import io.hdfsraid.raidnode.health.NameNodeHealth;
import io.hdfsraid.raidnode.health.OwnerHealth;
import io.hdfsraid.raidnode.health.PoliciesHealth;
import io.hdfsraid.raidnode.health.RecencyHealth;
import io.hdfsraid.raidnode.health.StormHealth;
import io.hdfsraid.raidnode.metrics.RaidMetrics;
import io.hdfsraid.raidnode.raid.Pipelines;
import io.hdfsraid.raidnode.recency.RecencyRules;
import io.hdfsraid.raidnode.request.HoursRequests;
import io.hdfsraid.raidnode.request.OperatorRequests;
import io.hdfsraid.raidnode.request.QuarantineRequests;
import io.hdfsraid.raidnode.request.RaidedFiles;
import io.hdfsraid.raidnode.request.RepairRequests;
import io.hdfsraid.raidnode.request.RequestQueue;
import io.hdfsraid.raidnode.request.ScrubRequests;
import io.hdfsraid.raidnode.request.SettingsChanges;
import io.hdfsraid.raidnode.request.StormRequests;
import io.hdfsraid.raidnode.request.WithdrawalRequests;
import io.hdfsraid.raidnode.rest.Services;
import io.hdfsraid.raidnode.rounds.CleanUpRound;
import io.hdfsraid.raidnode.rounds.RepairRound;
import io.hdfsraid.raidnode.rounds.RoundSettings;
import io.hdfsraid.raidnode.rounds.Rounds;
import io.hdfsraid.raidnode.rounds.ScrubRound;
import io.hdfsraid.raidnode.rounds.StormBreaker;
import io.hdfsraid.raidnode.schedule.Job;
import io.hdfsraid.raidnode.schedule.Schedule;
import io.hdfsraid.raidnode.view.CatalogFiles;
import io.hdfsraid.raidnode.view.CatalogHistory;
import io.hdfsraid.raidnode.view.CatalogRepairs;
import io.hdfsraid.raidnode.view.CatalogSummary;
import io.hdfsraid.raidnode.view.CensusOutlook;
import io.hdfsraid.raidnode.view.DaemonStatus;
import io.hdfsraid.raidnode.view.DraftedPolicies;
import io.hdfsraid.raidnode.view.FileViews;
import io.hdfsraid.raidnode.view.IndexHistogram;
import io.hdfsraid.raidnode.view.JudgedFiles;
import io.hdfsraid.raidnode.view.LiveHealth;
import io.hdfsraid.raidnode.view.PolicyExplanations;
import io.hdfsraid.raidnode.view.PolicyList;
import io.hdfsraid.raidnode.view.RepairWork;
import io.hdfsraid.raidnode.view.Savings;
import io.hdfsraid.raidnode.view.ScrubViews;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The daemon for the HDFS that the Hadoop configuration names, wired from the bottom up. */
public final class HdfsWiring implements Wiring {
  private static final String EVERY_SECOND = "* * * * * ?";

  private static final String WATCH_JOB = "policies-file";

  private static final int WAITING_REQUESTS = 100;

  private final Connector hdfs;

  /** Connects to an HDFS as its one writer. */
  @FunctionalInterface
  public interface Connector {
    HdfsCluster connect(ParitySettings settings, Clock clock) throws IOException;
  }

  /** Which HDFS: the one of {@code HADOOP_CONF_DIR}, which the launcher puts on the class path. */
  public HdfsWiring() {
    this(HdfsCluster::connectConfigured);
  }

  public HdfsWiring(Connector hdfs) {
    this.hdfs = hdfs;
  }

  @Override
  public Daemon wire(Settings settings, RaidMetrics metrics, Clock clock, Opened opened)
      throws IOException {
    RaidNodeConfiguration node = settings.node();
    Policies policies = settings.policies();

    Catalog catalog = opened.add(Catalog.open(settings.catalogDirectory(), clock));
    HdfsCluster cluster =
        opened.add(
            hdfs.connect(
                new ParitySettings(node.hdfs().root(), ParitySettings.Access.INHERIT), clock));
    catalog.bindTo(cluster.access().clusterId() + "/" + cluster.access().blockPool());
    Rounds rounds =
        opened.add(
            new Rounds(
                cluster,
                catalog,
                policies,
                roundSettings(node, cluster, recency(settings, cluster)),
                metrics,
                metrics.steps(),
                clock));

    JudgedFiles files = new JudgedFiles(catalog, rounds.policies(), rounds.recency(), clock);
    FileViews views = new FileViews(rounds.policies()::policies, catalog.groups());
    LiveHealth health =
        new LiveHealth(
            cluster.listing(),
            catalog,
            cluster.access(),
            rounds.check(),
            rounds.placement(),
            rounds.parityBytes(),
            clock);
    // A daemon that had withdrawn and is started again has just made the root anew.
    rounds.intent().returned();
    ZoneId zone = node.schedule().timeZone();
    Jobs jobs = new Jobs(rounds, catalog, node.schedule(), clock);
    Schedule schedule = new Schedule(jobs.all(), clock, metrics);
    PoliciesWatch watch =
        new PoliciesWatch(
            settings.folder().resolve(SettingsFiles.POLICIES),
            policies,
            zone,
            clock,
            changed -> jobs.putInForce(changed, schedule));
    schedule.replace(WATCH_JOB, List.of(new Job(WATCH_JOB, EVERY_SECOND, zone, watch::look)));
    RequestQueue changes = opened.add(new RequestQueue(WAITING_REQUESTS));
    RequestQueue scrubs = opened.add(new RequestQueue(WAITING_REQUESTS));
    RaidedFiles raided = new RaidedFiles(catalog, cluster.listing()::exists);
    Services services =
        new Services(
            new DaemonStatus(
                identity(cluster, clock.instant()),
                catalog,
                new CatalogSummary(catalog),
                new RepairWork(catalog, rounds.repair(), rounds.storms()),
                schedule::reports,
                rounds.intent(),
                rounds.hours(),
                new ScrubViews(catalog, scrub(node)),
                rounds.traffic().totals(),
                rounds.recency()::sources,
                watch::state,
                clock),
            new CatalogFiles(catalog, files, views, health::of),
            new PolicyExplanations(
                new PolicyList(
                    rounds.policies()::policies, policy -> Jobs.nextRun(schedule, policy)),
                cluster.listing()::file,
                catalog,
                rounds.policies(),
                rounds.recency(),
                rounds.hours(),
                rounds.capacity(),
                views,
                clock),
            health,
            new CatalogRepairs(catalog),
            new RepairRequests(
                raided,
                catalog,
                rounds,
                new RepairRequests.Queues(opened.add(new RequestQueue(WAITING_REQUESTS)), scrubs),
                clock),
            new CatalogHistory(catalog),
            new OperatorRequests(
                cluster.listing(),
                catalog,
                rounds,
                raided,
                new ScrubRequests(raided, rounds, scrubs),
                changes),
            new QuarantineRequests(rounds.quarantine(), rounds.intent(), catalog, changes),
            new WithdrawalRequests(
                rounds.withdrawal(),
                cluster.access().parity(),
                cluster.access().namespace(),
                catalog,
                node.hdfs().root(),
                clock),
            new Savings(
                catalog, files, cluster.access().namespace(), cluster.access().parity(), clock),
            new SettingsChanges(node, catalog, rounds::apply, clock),
            new StormRequests(rounds.storms()),
            new HoursRequests(rounds.hours(), rounds.policies(), catalog.history(), clock),
            new CensusOutlook(
                catalog.notes(),
                rounds.policies(),
                rounds.hours(),
                rounds.capacity(),
                rounds::tuning),
            new IndexHistogram(catalog, node.hdfs().root(), clock),
            new DraftedPolicies(clock, zone));
    return new Daemon(
        catalog,
        schedule,
        services,
        rounds.recency(),
        Map.of(
            "recency", new RecencyHealth(rounds.recency()),
            "policies", new PoliciesHealth(watch::state),
            "catalog", new CatalogHealth(catalog),
            "repairs", new StormHealth(rounds.storms()),
            "owner", new OwnerHealth(cluster.access().fence()),
            "namenode", new NameNodeHealth(cluster.access().namespace())));
  }

  /**
   * What bounds the rounds, by the configuration, for a process that stands where this one does.
   */
  public static RoundSettings roundSettings(
      RaidNodeConfiguration node, HdfsCluster cluster, RecencyRules recency) throws IOException {
    List<DataNode> nodes =
        cluster.access().namespace().nodes().stream().map(NodeState::node).toList();
    RoundSettings defaults = RoundSettings.defaults();
    return new RoundSettings(
        node.hdfs().root(),
        node.tuning(),
        defaults.rowMemory(),
        node.placement().movesPerDataNode(),
        node.placement().auditFilesPerSecond(),
        defaults.patience(),
        node.hdfs().dataNodeTimeout().toJavaDuration(),
        defaults.repairAttempts(),
        new Pipelines.Limits(
            node.raiding().maxUnaudited(), node.raiding().quarantine().toJavaDuration()),
        new RepairRound.Settings(
            node.repair().delay().toJavaDuration(),
            node.repair().retryAfter().toJavaDuration(),
            node.repair().parkAfter()),
        new StormBreaker.Limits(node.repair().stormNodes(), node.repair().stormPercent()),
        scrub(node),
        new CleanUpRound.History(
            node.catalog().historyKept().toJavaDuration(), node.catalog().historyLines()),
        recency,
        Vantage.here(node.hdfs().rack(), nodes));
  }

  private static RecencyRules recency(Settings settings, HdfsCluster cluster) {
    return settings
        .node()
        .recency()
        .rules(
            cluster.user(),
            settings.node().hdfs().root(),
            settings.catalogDirectory().resolve("images"));
  }

  private static ScrubRound.Settings scrub(RaidNodeConfiguration node) {
    return new ScrubRound.Settings(
        node.scrub().presenceEvery().toJavaDuration(),
        node.scrub().deepEvery().toJavaDuration(),
        node.scrub().firstRead().toJavaDuration());
  }

  private static DaemonStatus.Identity identity(HdfsCluster cluster, Instant now) {
    String version =
        Optional.ofNullable(HdfsWiring.class.getPackage().getImplementationVersion())
            .orElse("development");
    return new DaemonStatus.Identity(
        version, cluster.access().clusterId(), cluster.uri().toString(), cluster.holder(), now);
  }
}
