package io.hdfsraid.blockfixer;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.block.ReplicaGoneException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** DataNodes with faults the NameNode has not heard of. */
public final class FaultyDataNodes implements DataNodes {
  private final DataNodes good;
  private final Set<DataNode> unreachable = ConcurrentHashMap.newKeySet();
  private final Set<Replica> gone = ConcurrentHashMap.newKeySet();
  private final Map<DataNode, AtomicInteger> hangUps = new ConcurrentHashMap<>();
  private final Map<DataNode, AtomicInteger> dieAfterReads = new ConcurrentHashMap<>();

  FaultyDataNodes(DataNodes good) {
    this.good = good;
  }

  /** The node does not answer; the NameNode still believes in it. */
  public void cutOff(DataNode node) {
    unreachable.add(node);
  }

  /** The replica has vanished from its node, which says so only when it is asked for bytes. */
  public void vanish(Replica replica) {
    gone.add(replica);
  }

  /** The node hangs up on the next questions. */
  public void hangUp(DataNode node, int times) {
    hangUps.put(node, new AtomicInteger(times));
  }

  /** The node dies in the middle, after so many reads. */
  public void cutOffAfterReads(DataNode node, int reads) {
    dieAfterReads.put(node, new AtomicInteger(reads));
  }

  @Override
  public BlockInput open(Block block, Replica replica, long offset, long length)
      throws IOException {
    if (gone.contains(replica) && !unreachable.contains(replica.node())) {
      throw new ReplicaGoneException(block, replica.node(), null);
    }
    check(replica);
    BlockInput input = good.open(block, replica, offset, length);
    return new BlockInput() {
      @Override
      public void readFully(ByteBuffer target) throws IOException {
        AtomicInteger left = dieAfterReads.get(replica.node());
        if (left != null && left.getAndDecrement() <= 0) {
          cutOff(replica.node());
        }
        check(replica);
        input.readFully(target);
      }

      @Override
      public void close() throws IOException {
        input.close();
      }
    };
  }

  @Override
  public int checksum(Block block, Replica replica) throws IOException {
    check(replica);
    return good.checksum(block, replica);
  }

  private void check(Replica replica) throws IOException {
    if (unreachable.contains(replica.node())) {
      throw new ConnectException("Connection refused by " + replica.node());
    }
    AtomicInteger left = hangUps.get(replica.node());
    if (gone.contains(replica) || (left != null && left.getAndDecrement() > 0)) {
      throw new EOFException(replica.node() + " hung up");
    }
  }
}
