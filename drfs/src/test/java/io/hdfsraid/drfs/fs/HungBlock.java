// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.embedded.SlowReplicas;
import java.util.concurrent.CountDownLatch;

/** A block that no DataNode sends until it is released. */
final class HungBlock implements AutoCloseable {
  private final CountDownLatch released = new CountDownLatch(1);
  private final SlowReplicas replicas;

  HungBlock(LocatedBlock block) {
    this.replicas = new SlowReplicas(block.block().id(), released::await);
  }

  boolean isAsked() {
    return asked() > 0;
  }

  /** Returns how often a DataNode was asked for bytes of the block. */
  long asked() {
    return replicas.delayed();
  }

  void release() {
    released.countDown();
  }

  @Override
  public void close() {
    release();
    replicas.close();
  }
}
