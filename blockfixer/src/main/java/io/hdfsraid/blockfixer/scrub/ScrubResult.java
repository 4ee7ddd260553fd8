// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.scrub;

import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The result of reading a stripe in full.
 *
 * @param stripe the stripe as the NameNode showed it
 * @param health the health of the stripe after the scrub
 * @param sound the replicas that were read completely and hold the recorded bytes, by unit
 * @param bytes bytes read from DataNodes
 * @param parityIsWrong whether the sound units do not fit together: each holds what was recorded,
 *     but the recorded parity does not belong to the data
 */
public record ScrubResult(
    LocatedStripe stripe,
    StripeHealth health,
    Map<Integer, List<Replica>> sound,
    long bytes,
    boolean parityIsWrong) {
  public ScrubResult {
    Objects.requireNonNull(stripe, "stripe");
    Objects.requireNonNull(health, "health");
    sound = Map.copyOf(sound);
  }

  /** Returns the findings about replicas that are proven to be bad. */
  public List<UnitFinding> proven() {
    return health.findings().stream()
        .filter(finding -> finding.replica().isPresent() && finding.fault().provesLoss())
        .toList();
  }

  /** Whether every replica was checked, because no node failed to answer. */
  public boolean isComplete() {
    return health.findings().stream().noneMatch(finding -> finding.fault() == Fault.UNREACHABLE);
  }

  /** Returns the nodes whose replica of the unit was read and is now known to be good or bad. */
  public Set<DataNode> judged(int unit) {
    Set<DataNode> nodes = new HashSet<>();
    sound.getOrDefault(unit, List.of()).forEach(replica -> nodes.add(replica.node()));
    proven().stream()
        .filter(finding -> finding.unit() == unit)
        .forEach(finding -> nodes.add(finding.replica().orElseThrow().node()));
    return nodes;
  }
}
