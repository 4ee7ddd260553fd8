// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.raidnode.access.KerberosCallers;
import io.hdfsraid.raidnode.audit.AuditArchive;
import io.hdfsraid.raidnode.audit.AuditJob;
import io.hdfsraid.raidnode.audit.AuditRecorder;
import io.hdfsraid.raidnode.audit.HistoryRestore;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.config.BlockReportRule;
import io.hdfsraid.raidnode.config.RaidNodeConfiguration;
import io.hdfsraid.raidnode.config.RecencySettings;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.StandbySettings;
import io.hdfsraid.raidnode.hdfs.HadoopUsers;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.hdfs.KdcAwayException;
import io.hdfsraid.raidnode.hdfs.KerberosIdentity;
import io.hdfsraid.raidnode.hdfs.KerberosLogin;
import io.hdfsraid.raidnode.hdfs.NameNodeProbe;
import io.hdfsraid.raidnode.hdfs.NameNodeTrouble;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.hdfs.OwnerWatch;
import io.hdfsraid.raidnode.hdfs.Ownership;
import io.hdfsraid.raidnode.hdfs.ServiceTickets;
import io.hdfsraid.raidnode.health.AtRiskHealth;
import io.hdfsraid.raidnode.health.CatalogHealth;
import io.hdfsraid.raidnode.health.JobsHealth;
import io.hdfsraid.raidnode.health.KerberosHealth;
import io.hdfsraid.raidnode.health.NameNodeHealth;
import io.hdfsraid.raidnode.health.NameNodeWatch;
import io.hdfsraid.raidnode.health.NamespaceWatch;
import io.hdfsraid.raidnode.health.OwnerHealth;
import io.hdfsraid.raidnode.health.PoliciesHealth;
import io.hdfsraid.raidnode.health.RecencyHealth;
import io.hdfsraid.raidnode.health.RepairsHealth;
import io.hdfsraid.raidnode.health.ScrubHealth;
import io.hdfsraid.raidnode.health.StormHealth;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.metrics.RaidMetrics;
import io.hdfsraid.raidnode.mode.DecisionMirror;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.repair.RepairSchedule;
import io.hdfsraid.raidnode.repair.StormBreaker;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import io.hdfsraid.raidnode.upkeep.CleanUpJob;
import io.hdfsraid.raidnode.upkeep.VanishedParity;
import io.hdfsraid.recency.RecencyOptions;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Wires the daemon for the HDFS that the Hadoop configuration names. */
public final class HdfsWiring implements Wiring {
  private final Connector hdfs;
  private final boolean configured;

  /** The name of its HDFS; empty for the default one. */
  private final Optional<String> nameservice;

  private final ProcessLogin login;

  /** The login of the process, which all its daemons share: Hadoop's clients have one. */
  private static final class ProcessLogin {
    private Optional<KerberosLogin> login = Optional.empty();

    synchronized KerberosLogin as(KerberosIdentity identity, Clock clock) {
      if (login.isEmpty()) {
        login = Optional.of(new KerberosLogin(identity, clock));
      }
      return login.get();
    }

    synchronized Optional<KerberosLogin> made() {
      return login;
    }
  }

  /** Connects to an HDFS. */
  @FunctionalInterface
  public interface Connector {
    HdfsCluster connect(ParitySettings settings, Clock clock) throws IOException;
  }

  /** Which HDFS: the one of {@code HADOOP_CONF_DIR}, which the launcher puts on the class path. */
  public HdfsWiring() {
    this(
        (settings, clock) -> HdfsCluster.connectConfigured(Optional.empty(), settings, clock),
        true,
        Optional.empty(),
        new ProcessLogin());
  }

  /** Returns the wiring for another nameservice of the same configuration. */
  @Override
  public Wiring of(String other) {
    if (!configured) {
      return Wiring.super.of(other);
    }
    return new HdfsWiring(
        (settings, clock) -> HdfsCluster.connectConfigured(Optional.of(other), settings, clock),
        true,
        Optional.of(other),
        login);
  }

  /**
   * For an HDFS that is there.
   *
   * @param hdfs connects as its one writer
   */
  public HdfsWiring(Connector hdfs) {
    this(hdfs, false, Optional.empty(), new ProcessLogin());
  }

  private HdfsWiring(
      Connector hdfs, boolean configured, Optional<String> nameservice, ProcessLogin login) {
    this.hdfs = hdfs;
    this.configured = configured;
    this.nameservice = nameservice;
    this.login = login;
  }

  /** Logs in first: Hadoop's client would otherwise look for a ticket of its user. */
  @Override
  public NameNodeWatch nameNode(Settings settings, Clock clock) throws IOException, StartException {
    if (!configured) {
      return Wiring.super.nameNode(settings, clock);
    }
    Optional<String> principal = settings.node().hadoop().principal();
    if (principal.isPresent()) {
      KerberosLogin unused =
          login.as(KerberosIdentity.of(principal.get(), settings.keytab().orElseThrow()), clock);
    } else if (KerberosIdentity.isAskedFor() && !KerberosLogin.hasTicketOfUser()) {
      // Hadoop's client looks for a ticket once, so this process would wait in vain.
      throw new StartException(
          ExitCode.TROUBLE,
          "HDFS asks for Kerberos, and there is neither a keytab nor a valid ticket: set hadoop.principal and hadoop.keytab in raidnode.yml, or run kinit as user %s before each start"
              .formatted(System.getProperty("user.name")),
          null);
    }
    return new NameNodeWatch(
        NameNodeProbe.configured(nameservice).toString(), this::trouble, clock);
  }

  /** Returns why the daemon has to wait; empty also if waiting would not help. */
  private Optional<NameNodeTrouble> trouble() {
    if (login.made().isPresent()) {
      try {
        login.made().get().logIn();
        login.made().get().renew(); // the wait may last longer than a ticket
      } catch (KdcAwayException e) {
        return Optional.of(NameNodeTrouble.refusal(e.getMessage()));
      } catch (IOException e) {
        return Optional.empty(); // the start fails with it
      }
    }
    return NameNodeProbe.configuredTrouble(nameservice);
  }

  @Override
  public Optional<OwnerWatch> owner(Settings settings) throws IOException {
    StandbySettings standby = settings.node().standby();
    return configured && standby.enabled()
        ? OwnerWatch.configured(
            nameservice, settings.node().hdfs().root(), standby.takeOverAfter().toJavaDuration())
        : Optional.empty();
  }

  /** Where the namespace is known from listings, only the active daemon makes them. */
  @Override
  public Optional<StandbyIndex> standbyIndex(Settings settings, Clock clock) {
    return settings.node().recency().namespace() == RecencySettings.Namespace.IMAGE
        ? Optional.of(
            StandbyIndex.start(
                settings,
                (parity, time) -> HdfsCluster.lookConfigured(nameservice, parity, time),
                clock))
        : Optional.empty();
  }

  @Override
  public void renewLogin() {
    login.made().ifPresent(KerberosLogin::renew);
  }

  @Override
  public Optional<KerberosCallers> kerberosCallers(Settings settings) throws IOException {
    Optional<String> principal = settings.node().api().kerberos().principal();
    if (principal.isEmpty()) {
      return Optional.empty();
    }
    KerberosIdentity service =
        KerberosIdentity.of(principal.get(), settings.apiKeytab().orElseThrow());
    return Optional.of(
        new KerberosCallers(
            new ServiceTickets(service.principal(), service.keytab()),
            HadoopUsers.configured(),
            settings.node().api().roles().granted()));
  }

  @Override
  public Daemon wire(Settings settings, RaidMetrics metrics, Clock clock, Opened opened)
      throws IOException {
    RaidNodeConfiguration node = settings.node();
    if (login.made().isPresent()) {
      login.made().get().logIn();
    }
    Catalog catalog = opened.add(Catalog.open(settings.catalogDirectory(), clock));
    HdfsCluster cluster =
        opened.add(
            hdfs.connect(
                new ParitySettings(node.hdfs().root(), ParitySettings.AccessRule.INHERIT), clock));
    OwnerFile owner = cluster.owner().orElseThrow();
    owner.startHeartbeat();
    metrics.becameActive(owner.epoch());
    cluster.calls().listener(metrics::called);
    cluster.workInContainers(settings.containers(), node.yarn().limits());
    catalog.bindTo(cluster.access().blockPool());
    NameNodeProbe probe = opened.add(cluster.probe());
    NameNodeWatch nameNode = new NameNodeWatch(cluster.uri().toString(), probe::trouble, clock);
    Optional<AuditArchive> archive =
        node.audit().onHdfs()
            ? Optional.of(new AuditArchive(cluster.audit(), node.audit().limits(), nameNode, clock))
            : Optional.empty();
    archive.ifPresent(
        kept -> // the last lines, while the connection is still open
        opened.add(
                () -> {
                  if (nameNode.outage().isEmpty()) {
                    kept.write();
                  }
                }));
    String guarded = nameservice.orElseGet(() -> cluster.uri().getAuthority());
    JobSettings usual = jobSettings(node, cluster, recency(settings, cluster));
    int daemons = settings.place().map(Settings.Place::amongst).orElse(1);
    JobWiring wiring =
        opened.add(
            JobWiring.of(
                cluster,
                catalog,
                settings.policies().in(guarded),
                usual.withRowMemory(usual.rowMemory() / daemons),
                new JobListeners(metrics, metrics.steps(), nameNode),
                clock));

    AuditRecorder audit =
        new AuditRecorder(
            archive,
            name ->
                wiring.select().policies().policies().inOrder().stream()
                    .anyMatch(policy -> policy.name().equals(name)));
    catalog.history().inEpoch(owner::epoch);
    catalog.history().onAdd(audit::acted);
    HistoryRestore history =
        new HistoryRestore(
            cluster.audit(),
            catalog.history(),
            catalog.notes(),
            owner.epoch(),
            new HistoryRestore.Limits(
                node.catalog().historyRetention().toJavaDuration(), node.catalog().historyLines()),
            clock);
    DecisionMirror decisions = new DecisionMirror(catalog.notes(), cluster.decisions());
    boolean workedByAnother = decisions.takeOver();
    NamespaceWatch namespace = new NamespaceWatch(catalog, clock);
    Optional<NamespaceWatch.SetBack> setBack = namespace.compare(owner.terms());
    if (setBack.isPresent()) {
      wiring.select().recency().wasSetBack(setBack.get().sentence());
    }
    if (workedByAnother || setBack.isPresent()) {
      wiring.upkeep().byHand().believeTheFiles();
      catalog.notes().distrust();
    }
    boolean isNews = setBack.filter(NamespaceWatch.SetBack::isNews).isPresent();
    if (isNews) {
      wiring.upkeep().mode().namespaceWasSetBack();
    }
    decisions.claim();
    if (isNews) {
      decisions.update(); // what follows tells the others that they need not pause
      owner.heeded(setBack.get().lost());
    }
    namespace.accept(owner.terms()); // last: whoever dies before that begins with all this again
    opened.add(() -> namespace.accept(owner.terms())); // nearly how far it had come
    // A daemon that had withdrawn and is started again has just made the root anew.
    wiring.upkeep().mode().returned();
    if (owner.isFirst() && wiring.upkeep().withdrawal().filesUnderParity() > 0) {
      wiring.upkeep().mode().rootWasRemade(); // somebody has deleted or moved it meanwhile
    }
    owner.onRemade(
        () -> {
          metrics.becameActive(owner.epoch());
          wiring.upkeep().mode().rootWasRemade();
        });
    Timetable timetable =
        new Timetable(
            settings,
            guarded,
            new Jobs(
                wiring,
                catalog,
                cluster.access().fence(),
                decisions,
                () -> namespace.see(owner.terms()),
                archive.map(kept -> new AuditJob(kept, history)),
                nameNode,
                login.made(),
                node.schedule(),
                node.placement().triggerBlockReports() == BlockReportRule.PACED,
                clock),
            metrics,
            nameNode,
            clock);
    nameNode.whenAway(
        begun -> note(catalog, clock, "namenode-away", false, begun.sentence(clock.instant())));
    nameNode.whenBack(
        over -> {
          note(catalog, clock, "namenode-back", true, over.end(clock.instant()));
          catalog.repairs().wakePostponed(); // some had failed because of it
          timetable.schedule().runAgainAfterTrouble();
        });
    timetable.schedule().whenClockIsSetBack(() -> catalog.repairs().wakePostponed());
    RestWiring rest =
        new RestWiring(
            node,
            nameservice.map(own -> "hdfs://" + own).orElseGet(() -> cluster.uri().toString()),
            cluster,
            catalog,
            wiring,
            timetable,
            nameNode,
            opened,
            clock);
    return new Daemon(
        catalog,
        timetable.schedule(),
        rest.resources(),
        wiring.select().recency(),
        health(cluster, catalog, wiring, timetable, nameNode, node, clock),
        () -> owner.ownership().state() == Ownership.State.HELD && nameNode.outage().isEmpty(),
        audit,
        owner::advertise,
        owner.end());
  }

  private static void note(
      Catalog catalog, Clock clock, String event, boolean succeeded, String detail) {
    catalog
        .history()
        .add(
            new HistoryRecord(
                clock.instant(),
                event,
                Optional.empty(),
                "/",
                succeeded,
                "namenode",
                detail,
                0,
                0));
  }

  private Map<String, HealthCheck> health(
      HdfsCluster cluster,
      Catalog catalog,
      JobWiring wiring,
      Timetable timetable,
      NameNodeWatch nameNode,
      RaidNodeConfiguration node,
      Clock clock) {
    Map<String, HealthCheck> checks = new HashMap<>();
    checks.put("recency", new RecencyHealth(wiring.select().recency()));
    checks.put("policies", new PoliciesHealth(timetable::policiesFile));
    checks.put("catalog", new CatalogHealth(catalog));
    checks.put("at-risk", new AtRiskHealth(catalog.repairs(), clock));
    checks.put("unrecoverable", RepairsHealth.unrecoverable(catalog.repairs()));
    checks.put("parked", RepairsHealth.parked(catalog.repairs()));
    checks.put("repairs", new StormHealth(wiring.repair().storms()));
    checks.put(
        "jobs",
        new JobsHealth(
            timetable.schedule()::reports,
            () -> nameNode.isOn() || wiring.repair().storms().current().isPresent()));
    checks.put("owner", new OwnerHealth(cluster.owner().orElseThrow()::ownership));
    checks.put("namenode", new NameNodeHealth(nameNode, wiring.detection().dataNodes(), clock));
    checks.put("scrubs", new ScrubHealth(catalog.scrubs(), scrub(node), clock));
    login.made().ifPresent(in -> checks.put("kerberos", new KerberosHealth(in, clock)));
    return checks;
  }

  /** Returns the settings of the jobs by the configuration, for a process on this machine. */
  public static JobSettings jobSettings(
      RaidNodeConfiguration node, HdfsCluster cluster, RecencyOptions recency) throws IOException {
    List<DataNode> nodes =
        cluster.access().namespace().nodes().stream().map(NodeState::node).toList();
    JobSettings defaults = JobSettings.defaults();
    return new JobSettings(
        node.hdfs().root(),
        node.tuning(),
        defaults.rowMemory(),
        node.placement().concurrentMovesPerDataNode(),
        node.placement().auditFilesPerSecond(),
        defaults.polling(),
        node.hdfs().dataNodeTimeout().toJavaDuration(),
        defaults.repairAttempts(),
        new Pipelines.Limits(
            node.raiding().maxUnaudited(), node.raiding().quarantine().toJavaDuration()),
        node.raiding().retryAfter().toJavaDuration(),
        new RepairSchedule(
            node.repair().delay().toJavaDuration(),
            node.repair().retryAfter().toJavaDuration(),
            node.repair().parkAfter()),
        new StormBreaker.Limits(node.repair().stormNodes(), node.repair().stormPercent()),
        scrub(node),
        new CleanUpJob.History(
            node.catalog().historyRetention().toJavaDuration(), node.catalog().historyLines()),
        new VanishedParity.Limits(
            node.raiding().lostParityPercent(),
            node.raiding().lostParityFilesPerSecond(),
            node.raiding().lostParityStopAbove()),
        recency,
        ReaderLocation.ofThisMachine(node.hdfs().rack(), nodes));
  }

  static RecencyOptions recency(Settings settings, HdfsCluster cluster) {
    RecencySettings all = settings.node().recency();
    return settings
        .place()
        .map(place -> all.of(place.nameservice()))
        .orElse(all)
        .rules(
            cluster.user(),
            settings.node().hdfs().root(),
            settings.catalogDirectory().resolve("images"));
  }

  static ScrubJob.Settings scrub(RaidNodeConfiguration node) {
    return new ScrubJob.Settings(
        node.scrub().presenceEvery().toJavaDuration(),
        node.scrub().deepEvery().toJavaDuration(),
        node.scrub().firstRead().toJavaDuration());
  }
}
