// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of degraded reads, as many as there is work. They work as the user who gave it to
 * them, and with the caller context that is in the audit log of the NameNode: a thread would
 * otherwise keep both from whoever happened to start it.
 */
final class HelperThreads extends ThreadPoolExecutor {
  private static final long IDLE_SECONDS = 60;

  HelperThreads() {
    this(new Daemons());
  }

  HelperThreads(ThreadFactory factory) {
    super(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
  }

  private static final class Daemons implements ThreadFactory {
    private final AtomicInteger started = new AtomicInteger();

    @Override
    public Thread newThread(Runnable work) {
      Thread thread = new Thread(work, "degraded-read-" + started.incrementAndGet());
      thread.setDaemon(true); // must not keep an application from exiting
      return thread;
    }
  }

  @Override
  public void execute(Runnable work) {
    execute(Caller.current(), work);
  }

  private void execute(Caller caller, Runnable work) {
    try {
      super.execute(caller.bind(work));
    } catch (OutOfMemoryError e) { // mostly a limit on processes; the application need not end
      throw new RejectedExecutionException("There is no memory for another thread", e);
    }
  }

  /** Returns these threads, but working on behalf of this caller. */
  Executor onBehalfOf(Caller caller) {
    return work -> execute(caller, work);
  }
}
