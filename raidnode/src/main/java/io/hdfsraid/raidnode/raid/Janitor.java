package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.step.StepListener;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what nobody needs: drafts of dead attempts, and parity that has been in quarantine long
 * enough and whose blocks either do not exist any more or have all their replicas.
 */
public final class Janitor {
  private static final Logger LOG = LoggerFactory.getLogger(Janitor.class);

  private final ClusterAccess cluster;
  private final Duration quarantine;
  private final Clock clock;
  private final StepListener steps;

  /**
   * A janitor.
   *
   * @param quarantine how long retired parity is kept
   */
  Janitor(ClusterAccess cluster, Duration quarantine, Clock clock, StepListener steps) {
    this.cluster = cluster;
    this.quarantine = quarantine;
    this.clock = clock;
    this.steps = steps;
  }

  /** What a round removed, and what it kept. */
  public record Swept(int drafts, int purged, int kept) {}

  /** One round. Drafts that this process has open are not touched. */
  public Swept sweep() throws IOException {
    cluster.fence().pass();
    int drafts = cluster.parity().sweepDrafts();
    List<ParityFile> due = new ArrayList<>();
    int[] kept = {0};
    cluster
        .parity()
        .forEachQuarantined(
            parity -> {
              if (parity.file().modified().plus(quarantine).isAfter(clock.instant())) {
                kept[0]++;
              } else {
                due.add(parity);
              }
            });
    int purged = 0;
    for (ParityFile parity : due) {
      Optional<String> need = stillNeeded(parity);
      if (need.isPresent()) {
        kept[0]++;
        LOG.info("Quarantined parity {} is kept: {}", parity.file().path(), need.get());
      } else {
        cluster.fence().pass();
        cluster.parity().purge(parity);
        purged++;
        steps.reached(UnraidStep.PURGED, parity.file().path());
      }
    }
    return new Swept(drafts, purged, kept[0]);
  }

  /** Why the parity must stay; empty when each recorded block is gone or has all its replicas. */
  private Optional<String> stillNeeded(ParityFile parity) throws IOException {
    int wanted = parity.manifest().originalReplication();
    List<Long> blocks =
        parity.manifest().stripes().stream()
            .flatMap(stripe -> stripe.data().stream())
            .map(unit -> unit.block().id())
            .toList();
    return cluster.holders().holders(blocks).entrySet().stream()
        .filter(held -> held.getValue().liveReplicas() < wanted)
        .findFirst()
        .map(
            held ->
                "blk_%d of %s has %d live replicas, not %d"
                    .formatted(
                        held.getKey(),
                        held.getValue().path(),
                        held.getValue().liveReplicas(),
                        wanted));
  }
}
