package io.hdfsraid.raidnode.recency;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.namespace.NamespaceIndex;
import io.hdfsraid.raidnode.catalog.namespace.Relisted;
import io.hdfsraid.raidnode.catalog.namespace.Relisting;
import io.hdfsraid.raidnode.namespace.DirectoryListing;
import io.hdfsraid.raidnode.namespace.Inode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Keeps the index of the namespace true to HDFS, and knows how far it can be believed. */
public final class Recency {
  private final NamespaceIndex index;
  private final Notes notes;
  private final DirectoryListing listing;
  private final Optional<Instant> atimeSince;

  /**
   * What is known about accesses, as far as a catalog remembers.
   *
   * @param atimeSince since when access times can be believed, where the administrator says so
   */
  public Recency(Catalog catalog, DirectoryListing listing, Optional<Instant> atimeSince) {
    this.index = catalog.namespace();
    this.notes = catalog.notes();
    this.listing = listing;
    this.atimeSince = atimeSince;
  }

  /** Makes the index as the namespace is now. */
  public Relisted refresh() throws IOException {
    EarliestAccess times = new EarliestAccess();
    Relisting relisting = index.relist();
    listing.read(
        (directory, parent, children) -> {
          for (Inode child : children) {
            if (child instanceof Inode.File file) {
              times.look(file.attributes());
            }
          }
          relisting.directory(directory, parent, children);
        });
    Relisted relisted = relisting.end();
    atimeSince.or(times::at).ifPresent(this::tracksSince);
    return relisted;
  }

  private void tracksSince(Instant start) {
    if (atimeSince.isPresent()
        || notes.instant(Notes.TRACKING_START).map(start::isBefore).orElse(true)) {
      notes.instant(Notes.TRACKING_START, start);
    }
  }

  /** Finds out about files of which the index knows no more than their paths. */
  public void list(List<String> directories) throws IOException {
    Relisting relisting = index.relist();
    for (String directory : directories) {
      listing.read(directory, relisting::directory);
    }
  }

  /** Since when accesses are known, as far as it is known. */
  public AccessTracking tracking() {
    return notes
        .instant(Notes.TRACKING_START)
        .map(AccessTracking::since)
        .orElse(AccessTracking.NONE);
  }
}
