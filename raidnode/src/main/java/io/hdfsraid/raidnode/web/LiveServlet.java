// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import io.dropwizard.jetty.setup.ServletEnvironment;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.util.component.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells open web pages once a second whether something has changed, as server-sent events (WHATWG
 * HTML, section 9.2): {@code changed} or {@code same}. It tells not what: a page asks the REST API
 * for that. Silence for more than two seconds means that the daemon is gone.
 */
public final class LiveServlet extends HttpServlet implements LifeCycle.Listener {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(LiveServlet.class);

  /** Where a page listens. */
  static final String PATH = "/live";

  private static final long NOTHING = -1;

  /** A page that is refused asks again and again instead, as all pages did before. */
  static final int MOST_PAGES = 50;

  private final transient LongSupplier changes;

  /** What each page was told last. */
  private final transient Map<AsyncContext, Long> pages = new ConcurrentHashMap<>();

  private final transient Semaphore room = new Semaphore(MOST_PAGES);
  private final transient ScheduledExecutorService second =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "live-pages");
            thread.setDaemon(true);
            return thread;
          });
  private transient ScheduledFuture<?> telling;
  private volatile boolean ended;

  /**
   * Creates a servlet that tells nothing yet.
   *
   * @param changes a number that grows with each change; asked once a second, until this is stopped
   */
  public LiveServlet(LongSupplier changes) {
    this.changes = changes;
  }

  /** Registers the servlet. */
  public void addTo(ServletEnvironment servlets) {
    ServletRegistration.Dynamic added = servlets.addServlet("live", this);
    added.addMapping(PATH);
    added.setAsyncSupported(true);
  }

  @Override
  public void lifeCycleStarted(LifeCycle server) {
    telling = second.scheduleAtFixedRate(this::tell, 1, 1, TimeUnit.SECONDS);
  }

  /**
   * Ends the connections, before the server waits for all requests to end. Nothing is asked after
   * that.
   */
  @Override
  public void lifeCycleStopping(LifeCycle server) {
    ended = true;
    if (telling != null) {
      telling.cancel(false);
    }
    second.shutdown();
    try {
      if (!second.awaitTermination(1, TimeUnit.MINUTES)) {
        LOG.warn("An open web page holds up the end of the daemon");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    pages.keySet().forEach(this::forget);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (ended || !room.tryAcquire()) {
      response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      return;
    }
    response.setContentType("text/event-stream");
    response.setCharacterEncoding("UTF-8");
    response.setHeader("Cache-Control", "no-store");
    AsyncContext page = request.startAsync();
    page.setTimeout(0);
    // Whatever has changed since it was loaded.
    pages.put(page, NOTHING);
    try {
      response.flushBuffer();
    } catch (IOException e) {
      forget(page);
      throw e;
    }
    if (ended) {
      forget(page); // the others were forgotten before this one was there
    }
  }

  private void tell() {
    if (pages.isEmpty()) {
      return;
    }
    try {
      long now = changes.getAsLong();
      pages.forEach(
          (page, told) -> {
            tell(page, now == told ? "same" : "changed");
            pages.replace(page, now);
          });
    } catch (RuntimeException e) {
      // Or nobody would be told anything any more.
      LOG.warn("Open web pages are not told what has changed", e);
    }
  }

  private void tell(AsyncContext page, String event) {
    try {
      page.getResponse().getWriter().write("event: " + event + "\ndata:\n\n");
      // A writer hides failures from all but this.
      if (page.getResponse().getWriter().checkError()) {
        forget(page);
      }
    } catch (IOException | IllegalStateException e) {
      forget(page);
    }
  }

  private void forget(AsyncContext page) {
    if (pages.remove(page) != null) {
      room.release();
      try {
        page.complete();
      } catch (IllegalStateException e) {
        return; // the page has gone
      }
    }
  }
}
