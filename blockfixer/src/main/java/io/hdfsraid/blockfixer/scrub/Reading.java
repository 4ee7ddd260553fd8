package io.hdfsraid.blockfixer.scrub;

import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.Finding;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What came of reading a stripe in full.
 *
 * @param stripe as the NameNode showed it
 * @param health as the reading leaves it
 * @param sound the replicas that were read to their end and hold what was recorded, by unit
 * @param bytes read from DataNodes
 */
public record Reading(
    LocatedStripe stripe, StripeHealth health, Map<Integer, List<Replica>> sound, long bytes) {
  public Reading {
    Objects.requireNonNull(stripe, "stripe");
    Objects.requireNonNull(health, "health");
    sound = Map.copyOf(sound);
  }

  /** Replicas that are proven to be bad. */
  public List<Finding> proven() {
    return health.findings().stream()
        .filter(finding -> finding.replica().isPresent() && finding.fault().provesLoss())
        .toList();
  }

  /** Whether nothing is left of which nothing is known: no node failed to answer. */
  public boolean isComplete() {
    return health.findings().stream().noneMatch(finding -> finding.fault() == Fault.UNREACHABLE);
  }

  /** Nodes whose replica of the unit was read, and is now known to be good or bad. */
  public Set<DataNode> judged(int unit) {
    Set<DataNode> nodes = new HashSet<>();
    sound.getOrDefault(unit, List.of()).forEach(replica -> nodes.add(replica.node()));
    proven().stream()
        .filter(finding -> finding.unit() == unit)
        .forEach(finding -> nodes.add(finding.replica().orElseThrow().node()));
    return nodes;
  }
}
