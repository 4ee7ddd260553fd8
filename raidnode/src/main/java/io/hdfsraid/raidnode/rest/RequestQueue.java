package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidnode.access.Cause;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue of accepted requests, which are carried out one after another. The queue refuses requests
 * above its limit.
 */
public final class RequestQueue implements Executor, AutoCloseable {
  private final ThreadPoolExecutor worker;
  private final Map<Long, Request> requests = new ConcurrentSkipListMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** Creates a queue with a limit of waiting requests. */
  public RequestQueue(int waiting) {
    this.worker =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waiting),
            work -> {
              Thread thread = new Thread(work, "request");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * A request that has not ended.
   *
   * @param subject the path or the stripes of the request
   * @param running whether the request is being carried out
   */
  public record Entry(long number, String subject, boolean running) {}

  private final class Request extends FutureTask<Void> {
    private final long number;
    private final String subject;
    private volatile boolean running;

    Request(long number, String subject, Runnable work) {
      super(work, null);
      this.number = number;
      this.subject = subject;
    }

    @Override
    public void run() {
      running = true;
      super.run();
    }

    @Override
    protected void done() {
      requests.remove(number);
    }

    Entry entry() {
      return new Entry(number, subject, running);
    }
  }

  @Override
  public void execute(Runnable request) {
    execute("", request);
  }

  /**
   * Queues a request.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too many requests wait already
   */
  public void execute(String subject, Runnable work) {
    Request request = new Request(numbers.incrementAndGet(), subject, Cause.handedOn(work));
    requests.put(request.number, request);
    try {
      worker.execute(request);
    } catch (RuntimeException e) {
      requests.remove(request.number);
      throw e;
    }
  }

  /** Returns the accepted requests that have not ended, in order. */
  public List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    requests.values().forEach(request -> entries.add(request.entry()));
    return entries;
  }

  /**
   * Removes the requests that wait and interrupts the one that runs. The latest goes first: once
   * the running request ends, the worker begins the next one that waits.
   */
  public void cancel(Collection<Entry> entries) {
    entries.stream()
        .sorted(Comparator.comparingLong(Entry::number).reversed())
        .map(entry -> requests.get(entry.number()))
        .filter(Objects::nonNull)
        .forEach(
            request -> {
              request.cancel(true);
              worker.remove(request);
            });
  }

  /**
   * Accepts no more requests, and waits until the accepted ones have ended.
   *
   * @throws InterruptedIOException if the calling thread is interrupted; its flag is set
   */
  public void finish() throws InterruptedIOException {
    worker.shutdown();
    try {
      while (!worker.awaitTermination(1, TimeUnit.HOURS)) {
        // Repairs of many stripes take long.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for the requests to end");
    }
  }

  /** Interrupts the running request and drops the waiting ones. */
  @Override
  public void close() {
    worker.shutdownNow();
  }
}
