// SPDX-License-Identifier: Apache-2.0
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
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** DataNodes with faults the NameNode has not heard of. */
public final class FaultyDataNodes implements DataNodes {
  private final DataNodes good;
  private final Set<DataNode> unreachable = ConcurrentHashMap.newKeySet();
  private final Set<DataNode> refusing = ConcurrentHashMap.newKeySet();
  private final Set<Replica> gone = ConcurrentHashMap.newKeySet();
  private final Map<Replica, Long> cutShort = new ConcurrentHashMap<>();
  private final Map<DataNode, AtomicInteger> hangUps = new ConcurrentHashMap<>();
  private final Map<DataNode, AtomicInteger> dieAfterReads = new ConcurrentHashMap<>();

  private final Set<Replica> scribbling = ConcurrentHashMap.newKeySet();
  private final Set<Replica> lying = ConcurrentHashMap.newKeySet();

  FaultyDataNodes(DataNodes good) {
    this.good = good;
  }

  /** The node does not answer; the NameNode still believes in it. */
  public void cutOff(DataNode node) {
    unreachable.add(node);
  }

  /** The node opens no more streams, as one with too many does; it answers questions. */
  public void refuseToOpen(DataNode node) {
    refusing.add(node);
  }

  /** The replica has vanished from its node, which says so only when it is asked for bytes. */
  public void vanish(Replica replica) {
    gone.add(replica);
  }

  /** The data file has only so many bytes left; its checksum file, and the answers, are whole. */
  public void cutShort(Replica replica, long bytes) {
    cutShort.put(replica, bytes);
  }

  /** The node hangs up on the next questions. */
  public void hangUp(DataNode node, int times) {
    hangUps.put(node, new AtomicInteger(times));
  }

  /** The node dies in the middle, after so many reads. */
  public void cutOffAfterReads(DataNode node, int reads) {
    dieAfterReads.put(node, new AtomicInteger(reads));
  }

  /** Reads of the replica time out, after some bytes of whatever have come. */
  public void scribbleAndTimeOut(Replica replica) {
    scribbling.add(replica);
  }

  /** The next bytes of the replica are others than it holds, and nobody's checksum shows it. */
  public void lieOnce(Replica replica) {
    lying.add(replica);
  }

  @Override
  public BlockInput open(Block block, Replica replica, long offset, long length)
      throws IOException {
    if (gone.contains(replica) && !unreachable.contains(replica.node())) {
      throw new ReplicaGoneException(block, replica.node(), null);
    }
    check(replica);
    if (refusing.contains(replica.node())) {
      throw new EOFException(replica.node() + " has too many streams and hung up");
    }
    BlockInput input = good.open(block, replica, offset, length);
    return new BlockInput() {
      private long position = offset;

      @Override
      public void readFully(ByteBuffer target) throws IOException {
        position += target.remaining();
        if (position > cutShort.getOrDefault(replica, Long.MAX_VALUE)) {
          throw new EOFException(replica.node() + " broke off");
        }
        AtomicInteger left = dieAfterReads.get(replica.node());
        if (left != null && left.getAndDecrement() <= 0) {
          cutOff(replica.node());
        }
        check(replica);
        int from = target.position();
        if (scribbling.contains(replica)) {
          while (target.remaining() > 1) {
            target.put((byte) 0x5A);
          }
          throw new SocketTimeoutException("No more bytes from " + replica.node());
        }
        input.readFully(target);
        if (lying.remove(replica)) {
          target.put(from, (byte) (target.get(from) ^ 1));
        }
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
