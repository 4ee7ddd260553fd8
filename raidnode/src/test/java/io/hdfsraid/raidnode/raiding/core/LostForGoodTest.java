// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.raiding.Pipelines;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LostForGoodTest {
  private final RaidBench bench = new RaidBench();
  private ParityFile parity;
  private List<LocatedBlock> data;

  @BeforeEach
  void raid() throws IOException {
    Pipelines daemon = bench.daemon(StepListener.NONE);
    RaidOutcome unused = daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
    unused = bench.settle(daemon);
    parity = bench.cluster.find(bench.inode).orElseThrow();
    data = bench.cluster.file(bench.inode).orElseThrow().blocks();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void loses(LocatedBlock block) {
    long id = block.block().id();
    List.copyOf(bench.cluster.holders(id)).forEach(node -> bench.cluster.deleteReplica(id, node));
  }

  private Map<Long, Set<Long>> lost() throws IOException {
    return bench.lost().of(parity, Set.of(bench.inode));
  }

  /** The other data of the stripe was truncated away, and counts for as long as it exists. */
  @Test
  void aBlockThatWhatASnapshotHoldsCouldRebuildIsNotGivenUp() throws IOException {
    bench.cluster.snapshot(RaidBench.PATH);
    bench.cluster.truncate(RaidBench.PATH, RaidBench.BLOCK);
    loses(data.get(0));
    loses(parity.file().blocks().get(0));
    loses(parity.file().blocks().get(1));

    assertThat(lost()).isEmpty();

    bench.cluster.deleteSnapshots();
    assertThat(lost()).containsOnly(Map.entry(bench.inode, Set.of(data.get(0).block().id())));
  }
}
