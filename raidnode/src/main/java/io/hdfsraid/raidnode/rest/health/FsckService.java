// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.health;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.FsckRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.repair.StripeHealthRecorder;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.QueryParameters;
import io.hdfsraid.raidnode.rest.tasks.Submission;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.recency.hdfs.NamespaceListing;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;

/**
 * Checks the health of raided files by asking the NameNode and DataNodes now. Changes nothing on
 * HDFS; what is proven to be lost is added to the repairs that wait.
 */
public class FsckService {
  /** Most files whose stripes are looked up while somebody waits for the answer. */
  static final int MOST_AT_ONCE = 100;

  private static final String NO_PARITY = "The parity is not where the catalog says it is";

  private final Catalog catalog;
  private final ClusterAccess cluster;
  private final IntegrityCheck check;
  private final StripeHealthRecorder recorder;
  private final NamespaceListing listing;
  private final TaskQueue tasks;
  private final Clock clock;

  /**
   * Creates a service.
   *
   * @param recorder adds losses to the repair ledger
   * @param tasks carries out checks of many files, and nothing else
   */
  public FsckService(
      NamespaceListing listing,
      Catalog catalog,
      ClusterAccess cluster,
      IntegrityCheck check,
      StripeHealthRecorder recorder,
      TaskQueue tasks,
      Clock clock) {
    this.listing = listing;
    this.tasks = tasks;
    this.catalog = catalog;
    this.cluster = cluster;
    this.check = check;
    this.recorder = recorder;
    this.clock = clock;
  }

  /**
   * Returns the health of the files below a path.
   *
   * @throws ApiFailure if there are more than {@value #MOST_AT_ONCE}
   */
  public FsckReport fsck(String below, Paging paging) throws IOException {
    // Read once: there is no index of paths, and there may be many million records.
    List<FileRecord> files = new ArrayList<>();
    boolean all =
        raidedBelow(
            below,
            file -> {
              files.add(file);
              return files.size() <= MOST_AT_ONCE;
            });
    if (!all) {
      throw ApiFailure.refused(
          "There are more than %d raided files below %s".formatted(MOST_AT_ONCE, below),
          "Check them as a task: POST %s; 'raidshell fsck' does so.".formatted(ApiPaths.FSCK));
    }
    return check(
        below,
        paging,
        visitor -> {
          for (FileRecord file : files) {
            visitor.visit(file);
          }
        },
        () -> {});
  }

  /** Starts a check of the files below a path, whatever their number, as a task. */
  public TaskReport start(FsckRequest request, String by) throws IOException {
    String below = QueryParameters.absolute(request.path());
    Paging paging = request.paging();
    new FsckTally(below, paging); // checks the cursor
    if (raidedBelow(below, file -> false)) {
      requireExists(below);
    }
    try {
      return tasks.question(
          ChangePreview.Action.FSCK,
          below,
          by,
          meter -> {
            meter.plan(count(below), 0);
            meter.found(
                check(
                    below,
                    paging,
                    visitor -> catalog.files().forEachRaidedBelow(below, visitor),
                    meter::done));
          });
    } catch (RejectedExecutionException e) {
      throw Submission.tooMany();
    }
  }

  /** Ends the count of files. */
  private static final class EnoughException extends RuntimeException {
    private static final long serialVersionUID = 1;

    EnoughException() {
      super("", null, false, false);
    }
  }

  /**
   * Visits the raided files below a path until the visitor has enough; returns whether it wanted
   * all.
   */
  private boolean raidedBelow(String below, Predicate<FileRecord> visitor) throws IOException {
    try {
      catalog
          .files()
          .forEachRaidedBelow(
              below,
              file -> {
                if (!visitor.test(file)) {
                  throw new EnoughException();
                }
              });
    } catch (EnoughException e) {
      return false;
    }
    return true;
  }

  private long count(String below) throws IOException {
    long[] files = {0};
    catalog.files().forEachRaidedBelow(below, file -> files[0]++);
    return files[0];
  }

  /** The files that are to be checked. */
  @FunctionalInterface
  private interface Files {
    void forEach(KnownFiles.Visitor visitor) throws IOException;
  }

  private FsckReport check(String below, Paging paging, Files files, Runnable checked)
      throws IOException {
    FsckTally tally = new FsckTally(below, paging);
    long[] gone = {0};
    files.forEach(
        file -> {
          if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("Cancelled before all files were checked");
          }
          add(file, tally);
          checked.run();
          gone[0] += file.progress().reason().filter(Reason.GONE::equals).isPresent() ? 1 : 0;
        });
    FsckReport report = tally.report(clock.instant());
    if (report.summary().files() == 0) {
      requireExists(below);
    }
    return gone[0] == 0 ? report : report.with(note(gone[0]));
  }

  private static String note(long gone) {
    return "%d of these files are deleted, or are part of another file by now; the paths are those they had. Their parity stays because a snapshot or the other file holds blocks of them."
        .formatted(gone);
  }

  private void add(FileRecord file, FsckTally tally) throws IOException {
    try {
      Optional<ParityFile> parity = parityOf(file);
      if (parity.isEmpty()) {
        tally.unknown(subject(file, parity), NO_PARITY);
      } else {
        tally.add(
            subject(file, parity), check(file, parity.get()), GroupId.isGroup(parityIdOf(file)));
      }
    } catch (InodeGoneException | ManifestFormatException e) {
      tally.unknown(subject(file, Optional.empty()), String.valueOf(e.getMessage()));
    }
  }

  /** Returns the health of one file with all its stripes. */
  public FileHealth of(FileRecord file) throws IOException {
    Optional<ParityFile> parity = parityOf(file);
    return parity.isEmpty()
        ? HealthRecords.unknown(subject(file, parity), NO_PARITY)
        : HealthRecords.complete(subject(file, parity), check(file, parity.get()));
  }

  /**
   * Proven losses that no repair waits for are added. What is known stays as it is, because people
   * may ask as often as they like; a node that does not answer now may just be starting.
   */
  private List<StripeHealth> check(FileRecord file, ParityFile parity) throws IOException {
    List<StripeHealth> stripes = check.check(parity, Set.of(file.inode()));
    for (StripeHealth stripe : stripes) {
      UnitSet proven = stripe.lost().minus(stripe.unreachable());
      boolean isKnown =
          catalog
              .repairs()
              .find(StripeHealthRecorder.key(stripe.stripe()))
              .filter(known -> known.lost().containsAll(proven))
              .isPresent();
      if (!proven.isEmpty() && stripe.needsRepair() && !isKnown) {
        recorder.record(parityIdOf(file), stripe);
      }
    }
    return stripes;
  }

  private static HealthRecords.Subject subject(FileRecord file, Optional<ParityFile> parity) {
    return new HealthRecords.Subject(
        file.inode(),
        file.facts().path(),
        parity
            .map(found -> found.manifest().codec())
            .or(() -> file.parity().map(Parity::codec))
            .orElse(""),
        file.facts().length());
  }

  /** Returns the parity of a file, or of the group that the file is in. */
  private Optional<ParityFile> parityOf(FileRecord file) throws IOException {
    return cluster.parity().find(parityIdOf(file));
  }

  private long parityIdOf(FileRecord file) {
    return catalog.groups().groupOf(file.inode()).orElse(file.inode());
  }

  private void requireExists(String path) throws IOException {
    if (!listing.exists(path)) {
      throw ApiFailure.notFound("There is nothing at " + path, "Check the path.");
    }
  }
}
