// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.hdfs.LastTerm;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.hdfs.Term;
import io.hdfsraid.raidnode.hdfs.Terms;
import io.hdfsraid.recency.source.Timestamps;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the namespace was set back, as by a NameNode that was started from an old
 * checkpoint: parity that was made since then is gone, and what was let go is as it was. The {@link
 * Terms} of the owner show it. The last one is noted in the catalog, so a daemon that was not there
 * notices it, too, when it begins; one that was there is {@linkplain OwnerFile deposed} by it and
 * begins anew.
 *
 * <p>The catalog is compared with all of HDFS then, as after a restore of an old catalog.
 */
public final class NamespaceWatch {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceWatch.class);

  /** The last term that this process or one before it has seen. */
  private static final String SEEN = "owner-term-seen";

  /** The last term in which this catalog was that of the owner. */
  private static final String OWN = "owner-term";

  /** The time between notes while the catalog does not change: each makes pages load anew. */
  private static final Duration WITHOUT_CHANGE = Duration.ofSeconds(30);

  private final Catalog catalog;
  private final Clock clock;
  private Instant noted = Instant.MIN;
  private long sequence;

  public NamespaceWatch(Catalog catalog, Clock clock) {
    this.catalog = catalog;
    this.clock = clock;
  }

  /**
   * Compares the namespace with the catalog, once for each owner, when it has taken the owner file
   * and before it works. If the namespace was set back, all in the catalog is compared with it from
   * now on.
   *
   * @return a sentence that says so; empty if the namespace was not set back
   */
  public Optional<String> compare(Terms there) {
    return lacked(SEEN, there).map(this::setBack);
  }

  /**
   * Returns whether the namespace was set back to a state before the last time in which this
   * catalog was that of the owner, so that it knows of later decisions than the namespace does.
   */
  public boolean isOlderThanCatalog(Terms there) {
    return lacked(OWN, there).isPresent();
  }

  private Optional<LastTerm> lacked(String note, Terms there) {
    return catalog.notes().record(note, LastTerm.class).filter(there::lacks);
  }

  /** Notes how far the namespace has come of which this catalog is the owner's. */
  public synchronized void own(Terms there) {
    note(SEEN, there);
    note(OWN, there);
    noted = clock.instant();
    sequence = catalog.sequence();
  }

  /** As {@link #own}, unless nothing has changed for some seconds. Called again and again. */
  public synchronized void ownAgain(Terms there) {
    if (isDue()) {
      own(there);
    }
  }

  /**
   * Notes how far the namespace has come that another owns. One that was set back is left to {@link
   * #compare}. Called again and again.
   */
  public synchronized void see(Terms there) {
    if (isDue() && lacked(SEEN, there).isEmpty()) {
      note(SEEN, there);
      noted = clock.instant();
      sequence = catalog.sequence();
    }
  }

  private boolean isDue() {
    Duration since = Duration.between(noted, clock.instant()).abs();
    return catalog.sequence() != sequence || since.compareTo(WITHOUT_CHANGE) >= 0;
  }

  private void note(String name, Terms there) {
    LastTerm last = there.last();
    if (last.beats() != Term.UNKNOWN) {
      catalog.notes().record(name, last);
    }
  }

  private String setBack(LastTerm known) {
    String sentence =
        "The namespace was set back to an earlier state, as by a NameNode that is started from an old checkpoint: it does not know %s, which the catalog knows"
            .formatted(known);
    LOG.error("{}. All parity and all files are compared with it", sentence);
    catalog
        .history()
        .add(
            new HistoryRecord(
                clock.instant(),
                "namespace-set-back",
                Optional.empty(),
                "/",
                false,
                "namenode",
                sentence,
                0,
                0));
    catalog.notes().distrust();
    return sentence;
  }

  /**
   * Returns when it was noticed that the namespace was set back; empty if it was not, or if all
   * parity was checked and all files were read since. Both forget at that moment that they ever
   * were.
   */
  public static Optional<Instant> underWay(Notes notes) {
    boolean isParityChecked = notes.instant(Notes.LAST_FULL_CHECK).isPresent();
    return notes
        .instant(Timestamps.LAST_SET_BACK)
        .filter(noticed -> !isParityChecked || !notes.isNamespaceRead());
  }
}
