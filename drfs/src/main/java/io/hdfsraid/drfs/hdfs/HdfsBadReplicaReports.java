// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.Replica;
import java.io.IOException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Reports bad replicas as any HDFS client does that has failed to read a replica. */
public final class HdfsBadReplicaReports implements BadReplicaReports {
  private static final String WHICHEVER_STORAGE = "";

  private final DFSClient client;
  private final String blockPool;

  /**
   * @param blockPool block pool of the reported blocks
   */
  public HdfsBadReplicaReports(DistributedFileSystem fileSystem, String blockPool) {
    this.client = fileSystem.getClient();
    this.blockPool = blockPool;
  }

  @Override
  public void report(Block block, Replica replica) throws IOException {
    DatanodeInfoWithStorage[] where = {
      new DatanodeInfoWithStorage(
          HadoopTypes.datanodeInfo(replica.node()),
          WHICHEVER_STORAGE,
          StorageType.parseStorageType(replica.storageType()))
    };
    client
        .getNamenode()
        .reportBadBlocks(
            new LocatedBlock[] {
              new LocatedBlock(HadoopTypes.extendedBlock(blockPool, block), where)
            });
  }
}
