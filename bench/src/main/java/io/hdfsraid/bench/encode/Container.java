// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.encode;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.ReplicaPreference;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * A container on the machine of a DataNode, as far as distances and links go: all machines of a
 * benchmark are one. It reads the nearest replica. Replicas on its machine cost nothing, others
 * pass its link, and those of other racks pass the link of its rack besides.
 *
 * @param link of its machine
 * @param rackLink of its rack
 * @param read counts the bytes read, by distance
 */
record Container(DataNode machine, Link link, Link rackLink, Map<Distance, LongAdder> read)
    implements ReplicaPreference {

  Distance distanceTo(DataNode node) {
    if (node.equals(machine)) {
      return Distance.SAME_NODE;
    }
    return node.rack().equals(machine.rack()) ? Distance.SAME_RACK : Distance.OFF_RACK;
  }

  @Override
  public List<Replica> order(LocatedBlock block) {
    return block.live().stream()
        .sorted(Comparator.comparing(replica -> distanceTo(replica.node())))
        .toList();
  }

  /** These DataNodes, read from this machine. */
  DataNodes reading(DataNodes dataNodes) {
    return new DataNodes() {
      @Override
      public BlockInput open(Block block, Replica replica, long offset, long length)
          throws IOException {
        return passing(distanceTo(replica.node()), dataNodes.open(block, replica, offset, length));
      }

      @Override
      public int checksum(Block block, Replica replica) throws IOException {
        return dataNodes.checksum(block, replica);
      }
    };
  }

  private BlockInput passing(Distance distance, BlockInput input) {
    return new BlockInput() {
      @Override
      public void readFully(ByteBuffer target) throws IOException {
        int bytes = target.remaining();
        if (distance != Distance.SAME_NODE) {
          link.carry(bytes);
        }
        if (distance == Distance.OFF_RACK) {
          rackLink.carry(bytes);
        }
        input.readFully(target);
        read.get(distance).add(bytes);
      }

      @Override
      public void close() throws IOException {
        input.close();
      }
    };
  }
}
