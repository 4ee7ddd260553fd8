// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.hdfs.LastTerm;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.hdfs.Term;
import io.hdfsraid.raidnode.hdfs.Terms;
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
 * <p>The catalog is compared with all of HDFS then, as after a restore of an old catalog. Safe for
 * concurrent use.
 */
public final class NamespaceWatch {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceWatch.class);

  /** The last term that this process or one before it has seen. */
  private static final String SEEN = "owner-term";

  /** The time between notes while the catalog does not change: each makes pages load anew. */
  private static final Duration WITHOUT_CHANGE = Duration.ofSeconds(30);

  private final Catalog catalog;
  private final Clock clock;
  private Instant noted = Instant.MIN;
  private long sequence;

  /**
   * That the namespace was set back.
   *
   * @param lost what the catalog knows and the namespace does not
   * @param isNews whether no owner has noticed it before
   * @param sentence says so
   */
  public record SetBack(LastTerm lost, boolean isNews, String sentence) {}

  public NamespaceWatch(Catalog catalog, Clock clock) {
    this.catalog = catalog;
    this.clock = clock;
  }

  /**
   * Compares the namespace with the catalog, once for each owner, when it has taken the owner file
   * and before it works.
   *
   * @return empty if the namespace was not set back
   */
  public synchronized Optional<SetBack> compare(Terms there) {
    Optional<SetBack> setBack =
        lacked(there).map(lost -> new SetBack(lost, !there.isKnownToLack(lost), sentence(lost)));
    setBack.filter(SetBack::isNews).ifPresent(this::tell);
    if (setBack.isEmpty()) {
      accept(there);
    }
    return setBack;
  }

  private Optional<LastTerm> lacked(Terms there) {
    return catalog.notes().record(SEEN, LastTerm.class).filter(there::lacks);
  }

  /** Notes how far the namespace has come with which all was compared, or is being compared. */
  public synchronized void accept(Terms there) {
    LastTerm last = there.last();
    if (last.beats() != Term.UNKNOWN) {
      catalog.notes().record(SEEN, last);
    }
    noted = clock.instant();
    sequence = catalog.sequence();
  }

  /**
   * Notes how far the namespace has come, unless nothing has changed for some seconds. Called again
   * and again. A namespace that was set back is left to {@link #compare}.
   *
   * @return whether the namespace was set back
   */
  public synchronized boolean see(Terms there) {
    boolean isSetBack = lacked(there).isPresent();
    if (isDue() && !isSetBack) {
      accept(there);
    }
    return isSetBack;
  }

  private boolean isDue() {
    Duration since = Duration.between(noted, clock.instant()).abs();
    return catalog.sequence() != sequence || since.compareTo(WITHOUT_CHANGE) >= 0;
  }

  private static String sentence(LastTerm lost) {
    return "The namespace was set back to an earlier state, as by a NameNode that is started from an old checkpoint: it does not know %s, which the catalog knows"
        .formatted(lost);
  }

  private void tell(SetBack setBack) {
    LOG.error(
        "{}. All parity is checked, the namespace is read anew, and policies pause",
        setBack.sentence());
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
                setBack.sentence(),
                0,
                0));
  }
}
