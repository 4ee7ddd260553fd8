// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.UnitState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Tells replicas that HDFS drops from those that are lost. After the replication of a file was
 * lowered, the NameNode lists excess replicas for some seconds after their DataNodes have deleted
 * them, and a scrub works with a list that may be a minute old.
 */
final class DroppedReplicas {
  private final BlockLookup blocks;

  /**
   * @param blocks looks up the blocks of the stripes that are given
   */
  DroppedReplicas(BlockLookup blocks) {
    this.blocks = blocks;
  }

  /** Removes the findings about dropped replicas of units that have another replica. */
  StripeScrub.Seen removeFrom(StripeScrub.Seen seen) throws IOException {
    StripeHealth health = seen.health();
    List<UnitFinding> kept = new ArrayList<>();
    for (UnitFinding finding : health.findings()) {
      if (!isDropped(finding, health)) {
        kept.add(finding);
      }
    }
    return kept.size() == health.findings().size()
        ? seen
        : new StripeScrub.Seen(
            new StripeHealth(
                health.stripe(), health.state(), health.lost(), health.furtherLosses(), kept),
            seen.bytes(),
            seen.reported(),
            seen.parityIsWrong());
  }

  private boolean isDropped(UnitFinding finding, StripeHealth health) throws IOException {
    if (finding.fault() != Fault.REPLICA_GONE
        || finding.replica().isEmpty()
        || health.stripe().unit(finding.unit()).state() != UnitState.LIVE) {
      return false;
    }
    Optional<LocatedBlock> now = blocks.now(health.stripe(), finding.unit());
    OptionalInt wanted = blocks.replication(health.stripe(), finding.unit());
    if (now.isEmpty() || now.get().isLost() || wanted.isEmpty()) {
      return false;
    }
    boolean isListed =
        now.get().live().stream()
            .map(Replica::node)
            .anyMatch(finding.replica().get().node()::equals);
    int live = now.get().live().size();
    return isListed ? live > wanted.getAsInt() : live >= wanted.getAsInt();
  }
}
