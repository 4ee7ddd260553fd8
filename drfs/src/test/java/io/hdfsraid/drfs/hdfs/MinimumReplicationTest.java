// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.embedded.EmbeddedHdfs;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** An HDFS that keeps at least two replicas of everything, as some administrators want it. */
class MinimumReplicationTest {

  @Test
  void aNameNodeThatAllowsNoFileOfOneReplicaIsRefused() throws Exception {
    try (EmbeddedHdfs hdfs =
            EmbeddedHdfs.builder().dataNodes(1).set("dfs.namenode.replication.min", "2").start();
        HdfsParityStore store =
            HdfsParityStore.open(hdfs.uri(), hdfs.configuration(), ParitySettings.defaults())) {
      assertThat(store.checkRoot().refusal()).isEmpty();
      assertThatThrownBy(store::prepare)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("set dfs.namenode.replication.min to 1")
          .hasMessageContaining("required minimum of 2");
      assertThat(hdfs.fileSystem().listStatus(new Path("/.raid/tmp"))).isEmpty();
    }
  }
}
