// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.traffic;

import io.github.bucket4j.TimeMeter;
import io.hdfsraid.drfs.namespace.CallPermits;
import java.io.InterruptedIOException;

/** Limits the calls of the NameNode per second. There is no limit until one is set. */
public final class NameNodeCalls implements CallPermits {
  private final Rate rate = new Rate(Tuning.UNLIMITED, TimeMeter.SYSTEM_NANOTIME);

  /** From now on, also for those that wait. */
  public void set(long perSecond) {
    rate.set(perSecond);
  }

  @Override
  public void await(int calls) throws InterruptedIOException {
    rate.take(calls);
  }

  @Override
  public void count(int calls) {
    rate.takeAtOnce(calls);
  }
}
