// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.job.RaidBench;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplicationRestoreTest {
  private final RaidBench bench = new RaidBench();
  private final ReplicationRestore raising = new ReplicationRestore(bench.access(bench.cluster));

  @AfterEach
  void close() {
    bench.close();
  }

  private int replication() throws IOException {
    return bench.access(bench.cluster).namespace().file(bench.inode).orElseThrow().replication();
  }

  @Test
  void replicasThatAUserHasAskedForMeanwhileAreNotTakenAway() throws IOException {
    bench.cluster.setReplication(bench.inode, 5);

    assertThat(raising.raise(bench.inode, 4)).isEmpty();

    assertThat(replication()).isEqualTo(5);
  }

  @Test
  void fewerAreRaised() throws IOException {
    assertThat(raising.raise(bench.inode, 4)).isEmpty();

    assertThat(replication()).isEqualTo(4);
  }
}
