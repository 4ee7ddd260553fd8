// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.scrub;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.Fence;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reports bad replicas of blocks that have another replica, which was read in full and is good.
 * Otherwise the NameNode might drop the good replica and keep the bad one. After a report the
 * NameNode makes a new replica itself. The only replica of a block is not reported here, but by the
 * repair, after its replacement is verified. Safe for concurrent use.
 */
public final class BadReplicaReporter {
  private final BadReplicaReports reports;
  private final Fence fence;
  private final StripeClaims claims;

  /**
   * Creates a reporter.
   *
   * @param claims shared with all tasks that change stripes
   */
  public BadReplicaReporter(BadReplicaReports reports, Fence fence, StripeClaims claims) {
    this.reports = reports;
    this.fence = fence;
    this.claims = claims;
  }

  /**
   * Reports the replicas that may be reported, each after a check of what the NameNode shows now.
   *
   * @return the number of reported replicas
   */
  public int report(ScrubResult reading, BlockLookup blocks) throws IOException {
    List<UnitFinding> bad =
        reading.proven().stream()
            // A node reports a missing replica itself after a read request.
            .filter(finding -> finding.fault() != Fault.REPLICA_GONE)
            .filter(finding -> reading.sound().containsKey(finding.unit()))
            .toList();
    if (bad.isEmpty()) {
      return 0;
    }
    Optional<StripeClaims.Claim> claim = claims.claim(reading.stripe());
    if (claim.isEmpty()) {
      return 0; // its replicas may be moving; the next scrub finds the fault again
    }
    try {
      int reported = 0;
      for (UnitFinding finding : bad) {
        Replica replica = finding.replica().orElseThrow();
        Set<DataNode> trusted =
            nodes(blocks.now(reading.stripe(), finding.unit()).map(LocatedBlock::live));
        boolean goodRemains =
            nodes(Optional.of(reading.sound().get(finding.unit()))).stream()
                .anyMatch(trusted::contains);
        if (goodRemains && trusted.contains(replica.node())) {
          fence.pass();
          reports.report(finding.block(), replica);
          reported++;
        }
      }
      return reported;
    } finally {
      claim.get().close();
    }
  }

  private static Set<DataNode> nodes(Optional<List<Replica>> replicas) {
    return replicas.orElse(List.of()).stream().map(Replica::node).collect(Collectors.toSet());
  }
}
