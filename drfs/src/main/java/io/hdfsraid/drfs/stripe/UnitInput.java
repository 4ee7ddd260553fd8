// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the bytes of one unit from its live replicas. If a replica fails, it is not used again, and
 * the next replica continues where it stopped. The range beyond the end of the unit reads as zeros.
 * Used by one thread at a time.
 */
final class UnitInput implements Closeable {
  private final DataNodes dataNodes;
  private final int unit;
  private final LocatedBlock block;
  private final List<Replica> replicas;
  private final List<ByteRange> ranges;
  private final List<FailedReplica> failed = new ArrayList<>();
  private final Map<DataNode, Long> bytesFrom = new HashMap<>();

  /** The number of failed replicas. Other threads may read it. */
  private volatile int tried;

  private int range;
  private BlockInput input;
  private long position;
  private long bytesRead;

  /**
   * @param replicas to read, best first
   * @param ranges ranges of the block that will be read, in reading order; each is opened once
   */
  UnitInput(
      DataNodes dataNodes,
      int unit,
      LocatedBlock block,
      List<Replica> replicas,
      List<ByteRange> ranges) {
    this.dataNodes = dataNodes;
    this.unit = unit;
    this.block = block;
    this.replicas = replicas;
    this.ranges = ranges;
  }

  /**
   * Fills the buffer, which has an array, with the bytes of the unit from {@code offset} on.
   *
   * @return the number of bytes that belong to the unit; the others are zeros
   * @throws UnitUnreadableException if the last replica fails
   */
  int read(long offset, ByteBuffer target) throws IOException {
    int own = (int) Math.max(0, Math.min(target.remaining(), block.block().length() - offset));
    int start = target.position();
    int limit = target.limit();
    if (own > 0) {
      target.limit(start + own);
      readOwn(offset, target);
      target.limit(limit);
    }
    Arrays.fill(
        target.array(), target.arrayOffset() + start + own, target.arrayOffset() + limit, (byte) 0);
    target.position(limit);
    return own;
  }

  private void readOwn(long offset, ByteBuffer target) throws IOException {
    int start = target.position();
    int length = target.remaining();
    while (true) {
      Replica replica = replica();
      try {
        open(offset, replica);
        input.readFully(target);
        position = offset + length;
        bytesRead += length;
        bytesFrom.merge(replica.node(), (long) length, Long::sum);
        if (position == ranges.get(range).to()) {
          close();
        }
        return;
      } catch (IOException e) {
        close();
        if (Thread.currentThread().isInterrupted() || Interrupts.isInterrupt(e)) {
          throw e;
        }
        failed.add(new FailedReplica(unit, block.block(), replica, offset, e));
        tried = failed.size();
        target.position(start);
      }
    }
  }

  private Replica replica() throws UnitUnreadableException {
    if (failed.size() >= replicas.size()) {
      throw new UnitUnreadableException(unit, block.block(), failed);
    }
    return replicas.get(failed.size());
  }

  private void open(long offset, Replica replica) throws IOException {
    if (input != null && position == offset) {
      return;
    }
    close();
    while (!ranges.get(range).contains(offset)) {
      range++;
    }
    input = dataNodes.open(block.block(), replica, offset, ranges.get(range).to() - offset);
  }

  /**
   * Returns the replica that is being read or would be read next; the last replica if all have
   * failed. May be called by any thread.
   */
  Replica current() {
    return replicas.get(Math.min(tried, replicas.size() - 1));
  }

  int unit() {
    return unit;
  }

  boolean hasReplicas() {
    return !replicas.isEmpty();
  }

  List<FailedReplica> failed() {
    return failed;
  }

  /** Returns the bytes read, by DataNode. */
  Map<DataNode, Long> bytesFrom() {
    return bytesFrom;
  }

  /** Returns the bytes read from DataNodes. */
  long bytesRead() {
    return bytesRead;
  }

  @Override
  public void close() {
    if (input != null) {
      try {
        input.close();
      } catch (IOException e) {
        // The bytes read so far have been verified, and no more bytes are needed.
      }
      input = null;
    }
  }
}
