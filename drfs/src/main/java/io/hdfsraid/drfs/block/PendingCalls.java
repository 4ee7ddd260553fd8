// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Calls that wait for DataNodes. Safe for concurrent use. */
public final class PendingCalls {
  private final LongSupplier nanos;
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();

  /**
   * @param nanos {@code System::nanoTime}
   */
  public PendingCalls(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A call to a node. Instances are compared by identity. */
  public static final class Call {
    private final DataNode node;
    private final long sinceNanos;

    private Call(DataNode node, long sinceNanos) {
      this.node = node;
      this.sinceNanos = sinceNanos;
    }
  }

  /** Begins a call. The caller ends it, however it goes. */
  public Call begin(DataNode node) {
    Call call = new Call(node, nanos.getAsLong());
    calls.add(call);
    return call;
  }

  /** Returns how long the call has waited so far, in nanoseconds. */
  public long nanosSince(Call call) {
    return nanos.getAsLong() - call.sinceNanos;
  }

  public void end(Call call) {
    calls.remove(call);
  }

  /** Whether a call has waited for this node for the given time. Visits only pending calls. */
  public boolean anyWaits(DataNode node, Duration time) {
    return calls.stream()
        .anyMatch(call -> call.node.equals(node) && nanosSince(call) >= time.toNanos());
  }
}
