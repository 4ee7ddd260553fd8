package io.hdfsraid.blockfixer.scrub;

import io.hdfsraid.blockfixer.detect.BlockView;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.Finding;
import io.hdfsraid.blockfixer.repair.BadReplicaReports;
import io.hdfsraid.blockfixer.repair.StripesInWork;
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
 * Tells the NameNode of bad copies of blocks of which another copy was read in full and is good:
 * else it may keep the bad one when it drops one, and drop the good one. It then makes a new copy
 * by itself. A block's only copy is not reported here, but by the repair, after what replaces it is
 * proven. Safe for concurrent use.
 */
public final class BadCopies {
  private final BadReplicaReports reports;
  private final Fence fence;
  private final StripesInWork inWork;

  /**
   * Reports for what this process reads.
   *
   * @param inWork shared with everything else that changes stripes
   */
  public BadCopies(BadReplicaReports reports, Fence fence, StripesInWork inWork) {
    this.reports = reports;
    this.fence = fence;
    this.inWork = inWork;
  }

  /**
   * Reports what may be reported, each after a look at what the NameNode shows now.
   *
   * @return how many replicas were reported
   */
  public int report(Reading reading, BlockView blocks) throws IOException {
    List<Finding> bad =
        reading.proven().stream()
            // A node tells of what it has not by itself, once it has been asked for its bytes.
            .filter(finding -> finding.fault() != Fault.REPLICA_GONE)
            .filter(finding -> reading.sound().containsKey(finding.unit()))
            .toList();
    if (bad.isEmpty()) {
      return 0;
    }
    Optional<StripesInWork.Claim> claim = inWork.claim(reading.stripe());
    if (claim.isEmpty()) {
      return 0; // its replicas may be on their way; the next scrub finds it again
    }
    try {
      int reported = 0;
      for (Finding finding : bad) {
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
