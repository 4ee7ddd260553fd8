// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.worker;

import io.hdfsraid.raidnode.traffic.Tuning;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * The thread pools of one daemon. Each pool takes its size from the tuning and follows each change
 * of the tuning. Closing interrupts the threads of all pools.
 *
 * <p>Not safe for concurrent use, except that pools may be closed at any time: a thread that closes
 * them waits for tasks, which must be able to go on until their end.
 */
public final class ThreadPools implements AutoCloseable {
  /** An encoding or a repair reads k units and writes m at once; codes are rarely wider. */
  private static final int IO_THREADS_PER_WORKER = 24;

  private static final long CLOSE_SECONDS = 30;

  private final Map<Threads, ToIntFunction<Tuning>> pools = new LinkedHashMap<>();
  private Tuning tuning;

  /**
   * Creates an empty set of pools.
   *
   * @param tuning determines the first size of each pool
   */
  public ThreadPools(Tuning tuning) {
    this.tuning = tuning;
  }

  /** Adds a pool with one thread for each worker. */
  public ExecutorService add(String name, ToIntFunction<Tuning> workers) {
    Threads made = new Threads(name, workers.applyAsInt(tuning));
    pools.put(made, workers);
    return made.executor();
  }

  /** Adds a pool for the reads, writes and questions to DataNodes that so many workers wait for. */
  public ExecutorService addForIo(String name, ToIntFunction<Tuning> workers) {
    return add(name, now -> IO_THREADS_PER_WORKER * workers.applyAsInt(now));
  }

  /** Changes the sizes of all pools. Tasks that run are not interrupted. */
  public void resize(Tuning now) {
    tuning = now;
    pools.forEach((pool, size) -> pool.resize(size.applyAsInt(now)));
  }

  /** Interrupts all threads, then waits for their ends, at most 30 seconds for each pool. */
  @Override
  public void close() {
    pools.keySet().forEach(each -> each.executor().shutdownNow());
    for (Threads each : pools.keySet()) {
      try {
        if (!each.executor().awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
          return; // daemon threads: they end with the process
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
