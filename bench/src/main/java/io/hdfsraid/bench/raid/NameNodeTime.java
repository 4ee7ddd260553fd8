// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The time that raiding threads wait for the NameNode. Safe for concurrent use. */
final class NameNodeTime {
  /** Nanoseconds, by threads that are at work. */
  private final Map<Thread, LongAdder> spent = new ConcurrentHashMap<>();

  /** Work that asks the NameNode on the thread that does it. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /** Does the work, and returns how many nanoseconds of it were spent in calls to the NameNode. */
  long during(Work work) throws IOException {
    LongAdder nanos = new LongAdder();
    spent.put(Thread.currentThread(), nanos);
    try {
      work.run();
      return nanos.sum();
    } finally {
      spent.remove(Thread.currentThread());
    }
  }

  /** The same cluster, its calls to the NameNode watched. */
  ClusterAccess watching(ClusterAccess cluster) {
    return new ClusterAccess(
        cluster.clusterId(),
        cluster.blockPool(),
        watching(Namespace.class, cluster.namespace()),
        cluster.dataNodes(),
        watching(ParityStore.class, cluster.parity()),
        cluster.holders(),
        cluster.badReplicas(),
        watching(Fence.class, cluster.fence()));
  }

  private <T> T watching(Class<T> type, T watched) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> timed(watched, method, arguments)));
  }

  private Object timed(Object watched, Method method, Object[] arguments) throws Throwable {
    long start = System.nanoTime();
    Object result;
    try {
      result = method.invoke(watched, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      LongAdder nanos = spent.get(Thread.currentThread());
      if (nanos != null) {
        nanos.add(System.nanoTime() - start);
      }
    }
    return result instanceof ParityDraft draft ? watching(ParityDraft.class, draft) : result;
  }
}
