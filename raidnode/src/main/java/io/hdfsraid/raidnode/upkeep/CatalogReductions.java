// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.raiding.core.Reductions;
import java.time.Clock;
import java.util.List;

/** Keeps the reductions in the catalog. */
public final class CatalogReductions implements Reductions {
  private final Catalog catalog;
  private final Journal journal;
  private final Clock clock;

  public CatalogReductions(Catalog catalog, Journal journal, Clock clock) {
    this.catalog = catalog;
    this.journal = journal;
    this.clock = clock;
  }

  @Override
  public void begin(ParityFile parity) {
    List<Long> fresh = journal.reducing(parity);
    if (!fresh.isEmpty()) {
      // A change of rights since the parity got those of its files was not followed: until now
      // nobody knew that they have parity.
      catalog.changedAccess().put(fresh, clock.instant());
    }
  }

  @Override
  public boolean wasUndone(long inode) {
    return catalog.files().find(inode).filter(FileRecord::wasRaisedWithoutParity).isPresent();
  }
}
