// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.StripeId;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidnode.HdfsWiring;
import io.hdfsraid.raidnode.audit.AuditArchive;
import io.hdfsraid.raidnode.audit.AuditEntry;
import io.hdfsraid.raidnode.audit.AuditRecorder;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.config.AuditSettings;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.rest.RaidedFiles;
import io.hdfsraid.raidnode.rest.repairs.RepairService;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.rest.tasks.Tasks;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import io.hdfsraid.raidshell.command.DirectAccess.Takeover;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.recency.RecencyOptions;
import io.hdfsraid.rescue.workspace.Workspace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Repairs as the RaidNode does, with a temporary catalog: it asks HDFS which files are raided and
 * which blocks are lost. While it runs it holds the owner file, so it is the only writer.
 */
final class OfflineRepair {
  private static final String BY = "offline";

  private final Installation installation;
  private final Clock clock;

  /** Files whose state is unknown. The repair of other files goes on. */
  private final List<String> unread = new ArrayList<>();

  OfflineRepair(Installation installation, Clock clock) {
    this.installation = installation;
    this.clock = clock;
  }

  /**
   * Runs to the end. A dry run does not become the owner, so it deposes no other process.
   *
   * @throws io.hdfsraid.drfs.parity.RefusedException when another is the one writer
   */
  ChangePreview run(RepairRequest request, Takeover takeover) throws IOException {
    Optional<Settings> settings = installation.settings();
    Configuration hadoop = installation.hadoop().get();
    requireReady(hadoop, takeover);
    // Also on Ctrl-C the ownership is given back before the process ends.
    try (Workspace workspace = Workspace.create("repair");
        HdfsCluster cluster = request.dryRun() ? look(hadoop) : connect(hadoop);
        Catalog catalog = Catalog.open(workspace.directory("notebook"), clock);
        JobWiring jobs =
            JobWiring.of(
                cluster,
                catalog,
                new Policies(List.of(), List.of(), 0),
                jobSettings(settings, cluster),
                JobListeners.NONE,
                clock);
        TaskQueue queue = new TaskQueue(new Tasks(catalog.tasks(), clock), KnownTrouble.NONE, 1);
        TaskQueue noScrubs =
            new TaskQueue(new Tasks(catalog.tasks(), clock), KnownTrouble.NONE, 1)) {
      AuditedRun audit = audit(request, settings, cluster, catalog);
      return audit.of(() -> repair(request, cluster, catalog, jobs, queue, noScrubs));
    }
  }

  private ChangePreview repair(
      RepairRequest request,
      HdfsCluster cluster,
      Catalog catalog,
      JobWiring jobs,
      TaskQueue queue,
      TaskQueue noScrubs)
      throws IOException {
    try {
      write(request, cluster, catalog, jobs);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    ChangePreview plan =
        new RepairService(
                new RaidedFiles(catalog, cluster.listing()::exists),
                catalog,
                new RepairService.Jobs(
                    jobs.detection().stripes(), jobs.repair().job(), jobs.upkeep().reconciler()),
                new RepairService.Queues(queue, noScrubs),
                clock)
            .repair(request, cluster.user());
    queue.finish();
    return result(plan, catalog);
  }

  private ChangePreview result(ChangePreview queued, Catalog catalog) {
    ChangePreview plan = queued.withoutTask(); // its catalog is gone when the command ends
    if (plan.outcome() == Outcome.ACCEPTED) {
      return ended(plan, catalog);
    }
    return unread.isEmpty()
        ? plan
        : plan.as(plan.outcome(), (plan.note() + " " + unknown()).strip());
  }

  /**
   * Writes the request into the audit on HDFS, as a RaidNode does, and has what is done written
   * there. Only the owner writes there, so a dry run does not.
   */
  private AuditedRun audit(
      RepairRequest request, Optional<Settings> settings, HdfsCluster cluster, Catalog catalog) {
    AuditSettings wanted =
        settings.map(given -> given.node().audit()).orElseGet(AuditSettings::defaults);
    if (request.dryRun() || !wanted.onHdfs()) {
      return AuditedRun.UNRECORDED;
    }
    AuditArchive archive =
        new AuditArchive(cluster.audit(), wanted.limits(), KnownTrouble.NONE, clock);
    archive.add(
        AuditArchive.Series.REQUESTS,
        line(cluster).with("body", request).with("dryRun", request.dryRun()));
    archive.write();
    cluster.owner().ifPresent(owner -> catalog.history().inEpoch(owner::epoch));
    catalog.history().onAdd(new AuditRecorder(Optional.of(archive), name -> false)::acted);
    return new AuditedRun(Optional.of(archive), () -> line(cluster));
  }

  private AuditEntry line(HdfsCluster cluster) {
    return new AuditEntry(clock.instant(), "repair --offline")
        .with("user", cluster.user())
        .with("known", "HDFS")
        .with("from", cluster.holder());
  }

  private HdfsCluster connect(Configuration hadoop) throws IOException {
    NameNodeAnswer.require(FileSystem.getDefaultUri(hadoop), hadoop);
    return HdfsCluster.connect(FileSystem.getDefaultUri(hadoop), hadoop, parity(), clock);
  }

  private HdfsCluster look(Configuration hadoop) throws IOException {
    NameNodeAnswer.require(FileSystem.getDefaultUri(hadoop), hadoop);
    return HdfsCluster.look(FileSystem.getDefaultUri(hadoop), hadoop, parity(), clock);
  }

  private ParitySettings parity() {
    return new ParitySettings(installation.root(), ParitySettings.AccessRule.INHERIT);
  }

  /** Checks that the root exists, because becoming the owner would create it. */
  private void requireReady(Configuration hadoop, Takeover takeover) throws IOException {
    String root = installation.root();
    URI hdfs = FileSystem.getDefaultUri(hadoop);
    try (FileSystem opened = FileSystem.newInstance(hdfs, plain(hadoop))) {
      if (!(opened instanceof DistributedFileSystem fs)) {
        throw new ShellException(
            ExitCode.IO,
            hdfs + " is no HDFS",
            "Is HADOOP_CONF_DIR set, and is fs.defaultFS in its core-site.xml an hdfs:// URI?");
      }
      if (!fs.exists(new org.apache.hadoop.fs.Path(root))) {
        throw new ShellException(
            ExitCode.IO,
            "There is no %s on %s, so no parity to repair from".formatted(root, hdfs),
            "See hdfs.root of raidnode.yml.");
      }
      Optional<String> owner = OwnerFile.alive(fs, root);
      if (takeover == Takeover.NEVER && owner.isPresent()) {
        throw new ShellException(
            ExitCode.REFUSED,
            "%s works on this cluster: it holds %s/owner open".formatted(owner.get(), root),
            "Ask the RaidNode ('raidshell repair' without --offline), or stop it. If it is dead,"
                + " add --steal: its lease is over about a minute after it was last heard of.");
      }
    }
  }

  private static Configuration plain(Configuration hadoop) {
    Configuration plain = new Configuration(hadoop);
    plain.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    return plain;
  }

  private JobSettings jobSettings(Optional<Settings> settings, HdfsCluster cluster)
      throws IOException {
    return settings.isPresent()
        ? HdfsWiring.jobSettings(
            settings.get().node(),
            cluster,
            RecencyOptions.listing(installation.root(), Optional.empty()))
        : JobSettings.defaults();
  }

  /** Fills the catalog with the files of the request, as HDFS shows them. */
  private void write(RepairRequest request, HdfsCluster cluster, Catalog catalog, JobWiring jobs)
      throws IOException {
    ParityStore parity = cluster.access().parity();
    if (request.all()) {
      writeReported(cluster, jobs);
    } else if (request.stripes().isEmpty()) {
      try {
        cluster.listing().forEach(request.path(), file -> writeFile(file, parity, catalog));
      } catch (FileNotFoundException e) {
        throw new ShellException(
            ExitCode.IO, "There is nothing at " + request.path(), "Check the path.");
      }
    } else {
      for (StripeId id : request.stripes()) {
        Found.of(id.inode(), parity)
            .filter(found -> GroupId.isGroup(found.id()))
            .ifPresent(found -> catalog.groups().put(found.id(), List.of(id.inode())));
      }
    }
  }

  private void writeFile(FileFacts file, ParityStore parity, Catalog catalog) {
    try {
      Optional<Found> found = Found.of(file.inodeId(), parity);
      if (found.isPresent()) {
        if (GroupId.isGroup(found.get().id())) {
          catalog.groups().put(found.get().id(), List.of(file.inodeId()));
        }
        catalog
            .files()
            .put(
                new FileRecord(
                    file,
                    FileProgress.of(FileState.RAIDED, BY, clock.instant()),
                    Optional.of(parity(found.get().file())),
                    clock.instant()));
      }
    } catch (InodeGoneException e) {
      // deleted meanwhile
    } catch (ManifestFormatException e) {
      unread.add(file.path() + ": " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Parity parity(ParityFile file) {
    Manifest manifest = file.manifest();
    return new Parity(
        manifest.codec(),
        manifest.originalReplication(),
        manifest.targetReplication(),
        manifest.parityReplication(),
        manifest.stripes().size(),
        file.file().length());
  }

  /**
   * The parity of a file: its own, or that of the group it is in, when the manifest says so, too.
   *
   * @param id the inode, or the group
   */
  private record Found(long id, ParityFile file) {
    static Optional<Found> of(long inode, ParityStore parity) throws IOException {
      Optional<ParityFile> own = parity.find(inode);
      if (own.isPresent() || GroupId.isGroup(inode)) {
        return own.map(file -> new Found(inode, file));
      }
      Optional<GroupId> hint = parity.hintOf(inode);
      return hint.isEmpty()
          ? Optional.empty()
          : parity
              .find(hint.get().value())
              .filter(file -> file.manifest().members().stream().anyMatch(m -> m.inode() == inode))
              .map(file -> new Found(hint.get().value(), file));
    }
  }

  /** Checks the files that the NameNode lists as corrupt. */
  private void writeReported(HdfsCluster cluster, JobWiring jobs) throws IOException {
    ParityStore parity = cluster.access().parity();
    Set<Long> lossy = new HashSet<>();
    for (String path : cluster.losses().files().keySet()) {
      Optional<Long> ofParity = parity.sourceOf(path);
      if (ofParity.isPresent()) {
        lossy.add(ofParity.get());
      } else {
        Optional<LocatedFile> file = cluster.access().namespace().file(path);
        if (file.isPresent()) {
          long inode = file.get().inode();
          unlessUnreadable(
              path, () -> lossy.add(Found.of(inode, parity).map(Found::id).orElse(inode)));
        }
      }
    }
    for (long id : lossy) {
      unlessUnreadable("inode " + id, () -> jobs.detection().stripes().check(id));
    }
  }

  private interface Look {
    void take() throws IOException;
  }

  private void unlessUnreadable(String which, Look look) throws IOException {
    try {
      look.take();
    } catch (InodeGoneException | ManifestFormatException e) {
      unread.add(which + ": " + e.getMessage());
    }
  }

  private String unknown() {
    return "Nothing can be said of %d files. %s".formatted(unread.size(), unread.get(0));
  }

  /** The repairs that are still in the catalog have failed; each has its reason. */
  private ChangePreview ended(ChangePreview plan, Catalog catalog) {
    List<RepairState> left = catalog.repairs().list(Optional.empty(), 1_000);
    if (!unread.isEmpty()) {
      return plan.as(
          Outcome.PARTLY_DONE, "%d stripes are not whole. %s".formatted(left.size(), unknown()));
    }
    if (left.isEmpty()) {
      return plan.as(plan.refused() == 0 ? Outcome.DONE : Outcome.PARTLY_DONE, plan.note());
    }
    boolean hopeless = left.stream().allMatch(r -> r.status() == RepairStatus.UNRECOVERABLE);
    RepairState first = left.get(0);
    return plan.as(
        hopeless && plan.bytesToWrite() == 0 ? Outcome.UNRECOVERABLE : Outcome.PARTLY_DONE,
        "%d stripes are not whole. Stripe %d/%d of %s: %s"
            .formatted(
                left.size(), first.inode(), first.stripe().index(), first.path(), first.reason()));
  }
}
