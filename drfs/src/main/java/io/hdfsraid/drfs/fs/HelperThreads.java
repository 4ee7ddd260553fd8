package io.hdfsraid.drfs.fs;

import java.io.IOException;
import java.security.PrivilegedAction;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of degraded reads, as many as there is work. They work as the user who gave it to
 * them, and with the caller context that is in the audit log of the NameNode: a thread would
 * otherwise keep both from whoever happened to start it.
 */
final class HelperThreads extends ThreadPoolExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(HelperThreads.class);
  private static final long IDLE_SECONDS = 60;

  HelperThreads() {
    super(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        new Daemons());
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
    super.execute(Caller.current().bind(work));
  }

  /** Returns these threads, but working on behalf of who calls this now. */
  Executor onBehalfOfCaller() {
    Caller caller = Caller.current();
    return work -> super.execute(caller.bind(work));
  }

  /**
   * The user and the caller context of who gives work.
   *
   * @param user empty if not known
   * @param context null if there is none
   */
  private record Caller(Optional<UserGroupInformation> user, CallerContext context) {
    static Caller current() {
      Optional<UserGroupInformation> user = Optional.empty();
      try {
        user = Optional.of(UserGroupInformation.getCurrentUser());
      } catch (IOException e) {
        LOG.debug("The current user is not known", e);
      }
      return new Caller(user, CallerContext.getCurrent());
    }

    Runnable bind(Runnable work) {
      return () -> {
        CallerContext.setCurrent(context);
        try {
          if (user.isPresent()) {
            user.get()
                .doAs(
                    (PrivilegedAction<Void>)
                        () -> {
                          work.run();
                          return null;
                        });
          } else {
            work.run();
          }
        } finally {
          CallerContext.setCurrent(null);
        }
      };
    }
  }
}
