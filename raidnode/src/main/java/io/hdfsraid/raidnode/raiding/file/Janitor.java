// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.file;

import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what is no longer needed: drafts of dead attempts, expired quarantined parity, and empty
 * directories. Quarantined parity is removed only if each of its blocks either no longer exists or
 * has all its replicas.
 */
public final class Janitor {
  private static final Logger LOG = LoggerFactory.getLogger(Janitor.class);

  /** What has just been emptied, or made, may be about to be used. */
  private static final Duration EMPTY_FOR = Duration.ofHours(1);

  private final ClusterAccess cluster;
  private final Quarantine quarantine;
  private final Clock clock;

  public Janitor(ClusterAccess cluster, Quarantine quarantine, Clock clock) {
    this.cluster = cluster;
    this.quarantine = quarantine;
    this.clock = clock;
  }

  /** What a sweep removed, and what it kept in quarantine. */
  public record Swept(int drafts, int purged, int kept, int directories) {}

  /** Sweeps once. Drafts that this process has open are not touched. */
  public Swept sweep() throws IOException {
    cluster.fence().pass();
    int drafts = cluster.parity().sweepDrafts();
    int hidden = cluster.parity().hideQuarantined();
    if (hidden > 0) {
      LOG.info("{} parity files in quarantine could be read by others; now they cannot", hidden);
    }
    int[] purged = {0};
    int[] kept = {0};
    quarantine.forEach(
        parity -> {
          if (isPurged(parity)) {
            purged[0]++;
          } else {
            kept[0]++;
          }
        });
    cluster.fence().pass();
    int directories = cluster.parity().sweepDirectories(clock.instant().minus(EMPTY_FOR));
    return new Swept(drafts, purged[0], kept[0], directories);
  }

  private boolean isPurged(ParityFile parity) throws DeposedException {
    try {
      if (!quarantine.isDue(parity, clock.instant())) {
        return false;
      }
      Optional<String> need = quarantine.purge(parity);
      need.ifPresent(
          why -> LOG.info("Quarantined parity {} is kept: {}", parity.file().path(), why));
      return need.isEmpty();
    } catch (DeposedException e) {
      throw e;
    } catch (IOException e) {
      // It may fail each time; the others do not wait for it.
      LOG.warn("Quarantined parity {} is kept: it cannot be judged", parity.file().path(), e);
      return false;
    }
  }
}
