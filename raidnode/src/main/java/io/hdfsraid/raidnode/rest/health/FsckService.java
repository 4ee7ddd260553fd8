package io.hdfsraid.raidnode.rest.health;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.recency.hdfs.NamespaceListing;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;

/** Checks the health of raided files by asking the NameNode and DataNodes now. Changes nothing. */
public class FsckService {
  private static final String NO_PARITY = "The parity is not where the catalog says it is";

  private final Catalog catalog;
  private final ClusterAccess cluster;
  private final IntegrityCheck check;
  private final NamespaceListing listing;
  private final Clock clock;

  public FsckService(
      NamespaceListing listing,
      Catalog catalog,
      ClusterAccess cluster,
      IntegrityCheck check,
      Clock clock) {
    this.listing = listing;
    this.catalog = catalog;
    this.cluster = cluster;
    this.check = check;
    this.clock = clock;
  }

  /** Returns the health of the files below a path. */
  public FsckReport fsck(String below, Paging paging) throws IOException {
    FsckTally tally = new FsckTally(below, paging);
    long[] gone = {0};
    catalog
        .files()
        .forEachRaidedBelow(
            below,
            file -> {
              add(file, tally);
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
            subject(file, parity),
            check.check(parity.get(), Set.of(file.inode())),
            GroupId.isGroup(parityIdOf(file)));
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
        : HealthRecords.complete(
            subject(file, parity), check.check(parity.get(), Set.of(file.inode())));
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
