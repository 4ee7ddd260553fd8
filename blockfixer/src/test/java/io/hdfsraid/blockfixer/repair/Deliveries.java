// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Deliveries to the in-memory cluster, some of which fail, all of which are remembered. */
final class Deliveries implements BlockDelivery {
  private final InMemoryCluster cluster;
  final List<DataNode> opened = new ArrayList<>();
  final List<Block> finished = new ArrayList<>();
  int failOpening;
  int failWriting;
  int failFinishing;
  int hangWriting;
  boolean swallow;

  /** The bytes are others when they arrive, and their checksums fit them. */
  boolean falsify;

  private int open;

  Deliveries(InMemoryCluster cluster) {
    this.cluster = cluster;
  }

  /** Deliveries that were neither closed nor dropped. */
  int open() {
    return open;
  }

  @Override
  public synchronized Delivery open(Block block, DataNode target, String storageType)
      throws IOException {
    opened.add(target);
    if (failOpening-- > 0) {
      throw new IOException("refused by " + target);
    }
    open++;
    return new InMemory(block, target, failWriting-- > 0, hangWriting-- > 0, failFinishing-- > 0);
  }

  private final class InMemory implements Delivery {
    private final Block block;
    private final DataNode target;
    private final boolean failToWrite;
    private final boolean hang;
    private final boolean failToFinish;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    InMemory(
        Block block, DataNode target, boolean failToWrite, boolean hang, boolean failToFinish) {
      this.block = block;
      this.target = target;
      this.failToWrite = failToWrite;
      this.hang = hang;
      this.failToFinish = failToFinish;
    }

    @Override
    public void accept(ByteBuffer buffer) throws IOException {
      if (failToWrite) {
        throw new IOException("broken pipe");
      }
      if (hang) {
        hangUntilInterrupted();
      }
      byte[] copy = new byte[buffer.remaining()];
      buffer.get(copy);
      bytes.writeBytes(copy);
    }

    private void hangUntilInterrupted() throws InterruptedIOException {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while " + target + " took nothing");
      }
    }

    @Override
    public void finish() throws IOException {
      if (failToFinish) {
        throw new IOException("no acknowledgement");
      }
      finished.add(block);
      if (!swallow) {
        byte[] arrived = bytes.toByteArray();
        arrived[0] ^= (byte) (falsify ? 1 : 0);
        cluster.deliver(block, target, arrived);
      }
    }

    @Override
    public void close() {
      open--;
    }
  }
}
