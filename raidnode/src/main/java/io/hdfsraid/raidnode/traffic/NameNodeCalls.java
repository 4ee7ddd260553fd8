// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import io.github.bucket4j.TimeMeter;
import io.hdfsraid.drfs.namespace.CallPermits;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** Counts the calls of the NameNode and limits them. There is no limit until one is set. */
public final class NameNodeCalls implements CallPermits {
  private final Rate rate = new Rate(Tuning.UNLIMITED, TimeMeter.SYSTEM_NANOTIME);

  private final LongAdder total = new LongAdder();
  private volatile LongConsumer listener = calls -> {};

  /** From now on, also for those that wait. */
  public void set(long perSecond) {
    rate.set(perSecond);
  }

  @Override
  public void await(int calls) throws InterruptedIOException {
    rate.take(calls);
    counted(calls);
  }

  @Override
  public void count(int calls) {
    rate.takeAtOnce(calls);
    counted(calls);
  }

  private void counted(int calls) {
    total.add(calls);
    listener.accept(calls);
  }

  /** Returns how many calls there were. */
  public long total() {
    return total.sum();
  }

  /** Sets who is told of each further call. It is called from many threads. */
  public void listener(LongConsumer calls) {
    listener = calls;
  }
}
