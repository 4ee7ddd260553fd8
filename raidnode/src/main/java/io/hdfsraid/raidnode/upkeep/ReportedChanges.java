// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.recency.index.ChangeListener;
import io.hdfsraid.recency.index.FileChanges;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Notes in the catalog which raided files users have changed, as the edit log reports it. Also a
 * daemon that stands by does so, because the edit log is read once. Safe for concurrent use.
 */
public final class ReportedChanges implements ChangeListener {
  /** Paths whose inode ids wait to be asked for; the integrity check finds what is dropped. */
  private static final int MOST_UNIDENTIFIED = 10_000;

  private final Catalog catalog;
  private final Clock clock;

  /** Files that are too new for the index to know their inode ids; guarded by itself. */
  private final Set<String> unidentified = new HashSet<>();

  public ReportedChanges(Catalog catalog, Clock clock) {
    this.catalog = catalog;
    this.clock = clock;
  }

  @Override
  public void changed(FileChanges changes) {
    List<Long> raided = new ArrayList<>();
    changes.inodes().stream().filter(inode -> parityOf(inode).isPresent()).forEach(raided::add);
    changes
        .replication()
        .forEach(
            (inode, replication) -> {
              // Most are our own reductions.
              if (parityOf(inode).filter(p -> p.targetReplication() != replication).isPresent()) {
                raided.add(inode);
              }
            });
    if (!raided.isEmpty()) {
      catalog.changed().put(raided, clock.instant());
    }
    List<Long> reachable =
        changes.access().stream().filter(inode -> parityOf(inode).isPresent()).toList();
    if (!reachable.isEmpty()) {
      catalog.changedAccess().put(reachable, clock.instant());
    }
    synchronized (unidentified) {
      changes.unidentified().stream()
          .limit(MOST_UNIDENTIFIED - unidentified.size())
          .forEach(unidentified::add);
    }
  }

  /** Returns whether the catalog knows that a file has parity. */
  boolean isUnderParity(long inode) {
    return parityOf(inode).isPresent();
  }

  /** Returns up to this many paths of changed files whose inode ids must be asked for. */
  Set<String> unidentified(int limit) {
    synchronized (unidentified) {
      return unidentified.stream().limit(limit).collect(Collectors.toSet());
    }
  }

  /** Forgets paths whose inode ids are known. */
  void identified(Set<String> paths) {
    synchronized (unidentified) {
      unidentified.removeAll(paths);
    }
  }

  private Optional<Parity> parityOf(long inode) {
    return catalog.files().find(inode).flatMap(FileRecord::parity);
  }
}
