// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.manifest.NewerManifestException;
import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.ChangedFiles;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Looks at raided files as soon as the edit log reports that users have changed them. The block
 * that a user appends to a raided file has one replica until its replication is raised, and parity
 * stays readable as it was until it follows a chmod of the file or of a directory above. What waits
 * to be looked at survives a restart. Files that others may reach since a directory above has
 * changed come last: they may be millions, and need new access rights only.
 */
public final class ChangedFilesJob {
  private static final Logger LOG = LoggerFactory.getLogger(ChangedFilesJob.class);
  private static final String BY = "edit log";

  /** How many files a run looks at. The next one follows in seconds. */
  private static final int AT_ONCE = 4_000;

  /**
   * For how many paths a run asks the NameNode. Few new files are raided: those that operators have
   * named.
   */
  private static final int MOST_ASKED = 500;

  private final Catalog catalog;
  private final ReportedChanges reported;
  private final Namespace namespace;
  private final ParityStore parity;
  private final ReconcileJob reconciler;
  private final Workers workers;
  private final KnownTrouble trouble;
  private final Clock clock;

  /**
   * Creates the job.
   *
   * @param reported hears what the edit log reports
   */
  public ChangedFilesJob(
      Catalog catalog,
      ReportedChanges reported,
      Namespace namespace,
      ParityStore parity,
      ReconcileJob reconciler,
      Workers workers,
      KnownTrouble trouble,
      Clock clock) {
    this.catalog = catalog;
    this.reported = reported;
    this.namespace = namespace;
    this.parity = parity;
    this.reconciler = reconciler;
    this.workers = workers;
    this.trouble = trouble;
    this.clock = clock;
  }

  /**
   * Looks at the files whose changes were reported.
   *
   * @return how many files were looked at
   */
  public int run() throws IOException {
    identify();
    int looked = run(catalog.changed(), this::protect);
    return looked < AT_ONCE
        ? looked + run(catalog.changedAccess(), (id, inodes) -> parity.refreshAccess(id))
        : looked;
  }

  /** What a change of files with the same parity demands. */
  @FunctionalInterface
  private interface Look {
    void at(long id, Set<Long> inodes) throws IOException;
  }

  private int run(ChangedFiles waiting, Look look) throws IOException {
    Map<Long, Instant> due = waiting.due(clock.instant(), AT_ONCE);
    Map<Long, Map<Long, Instant>> byParity = new LinkedHashMap<>();
    due.forEach(
        (inode, from) ->
            byParity
                .computeIfAbsent(reconciler.parityOf(inode), id -> new LinkedHashMap<>())
                .put(inode, from));
    List<Workers.Task> tasks = new ArrayList<>();
    byParity.forEach((id, files) -> tasks.add(() -> look(id, files, waiting, look)));
    workers.inOrder(tasks);
    return due.size();
  }

  private void identify() throws IOException {
    Set<String> paths = reported.unidentified(MOST_ASKED);
    List<Long> raided = new ArrayList<>();
    for (String path : paths) {
      Optional<LocatedFile> file = namespace.file(path);
      file.map(LocatedFile::inode).filter(reported::isUnderParity).ifPresent(raided::add);
    }
    catalog.changed().put(raided, clock.instant());
    reported.identified(paths);
  }

  /**
   * @param files with this parity, and since when each waits
   */
  private void look(long id, Map<Long, Instant> files, ChangedFiles waiting, Look look) {
    try {
      look.at(id, files.keySet());
    } catch (NewerManifestException e) {
      LOG.debug("{} has parity of a newer version", id, e); // the journal has said so
    } catch (FileInWorkException e) {
      return; // its next look may be over: the next run looks again
    } catch (IOException e) {
      LOG.atLevel(trouble.explains(e) ? Level.DEBUG : Level.WARN)
          .setCause(e)
          .log(
              "The file or group with id {} was changed, but could not be looked at. It will be"
                  + " again in {}",
              id,
              ChangedFiles.LONGEST_PAUSE);
      waiting.put(files.keySet(), clock.instant().plus(ChangedFiles.LONGEST_PAUSE));
      return;
    }
    waiting.remove(files);
  }

  /**
   * Does only what is urgent. What takes long, such as moves or to encode a group anew, is left to
   * the reconcile job.
   */
  private void protect(long id, Set<Long> inodes) throws IOException {
    try {
      parity.refreshAccess(id);
    } finally {
      raise(id, inodes);
    }
  }

  private void raise(long id, Set<Long> inodes) throws IOException {
    try {
      if (GroupId.isGroup(id)) {
        reconciler.protect(new GroupId(id), BY);
      } else {
        reconciler.protect(id, BY);
      }
    } catch (FileInWorkException | NewerManifestException | DeposedException e) {
      throw e;
    } catch (IOException e) {
      // Its root may have been moved away. To raise replication, the catalog knows enough.
      raiseByCatalog(inodes, "It was changed, and its parity cannot be looked at: " + e);
      throw e;
    }
  }

  private void raiseByCatalog(Set<Long> inodes, String why) throws IOException {
    List<Long> changed = new ArrayList<>();
    for (long inode : inodes) {
      if (hasOtherContent(inode)) {
        changed.add(inode);
      }
    }
    reconciler.unprotected(changed, why, BY);
  }

  /** A change may also be of rights only: then the parity still protects the file. */
  private boolean hasOtherContent(long inode) throws IOException {
    Optional<FileFacts> known = catalog.files().find(inode).map(FileRecord::facts);
    return namespace
        .file(inode)
        .filter(
            file ->
                file.underConstruction()
                    || known
                        .filter(facts -> facts.length() == file.length())
                        .filter(facts -> facts.modified().equals(file.modified()))
                        .isEmpty())
        .isPresent();
  }
}
