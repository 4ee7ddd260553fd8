// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.MDC;

/**
 * Names the request that work is done for, and the reason that its sender gave. It belongs to the
 * thread that does the work, and stands in the diagnostic context (MDC) of each log line of this
 * thread. Whoever hands work of a request to another thread hands on the cause, too.
 *
 * @param request id of the request; empty if no request asked for the work
 * @param reason what the sender of the request gave as reason; may be empty
 */
public record Cause(String request, String reason) {
  public static final Cause NONE = new Cause("", "");

  private static final String REQUEST = "request";
  private static final String REASON = "reason";

  public Cause {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(reason, "reason");
  }

  /** Restores the cause that a thread had before. */
  @FunctionalInterface
  public interface Scope {
    void close();
  }

  /** Returns why this thread works; {@link #NONE} if it works by itself. */
  public static Cause current() {
    return new Cause(
        Optional.ofNullable(MDC.get(REQUEST)).orElse(""),
        Optional.ofNullable(MDC.get(REASON)).orElse(""));
  }

  /** Makes this the cause of all that the calling thread does until the scope is closed. */
  public Scope open() {
    Cause before = current();
    set();
    return before::set;
  }

  private void set() {
    set(REQUEST, request);
    set(REASON, reason);
  }

  private static void set(String key, String value) {
    if (value.isEmpty()) {
      MDC.remove(key);
    } else {
      MDC.put(key, value);
    }
  }

  /** Returns the same work with the cause of the calling thread, for another thread. */
  public static Runnable handedOn(Runnable work) {
    Cause cause = current();
    return () -> {
      Scope scope = cause.open();
      try {
        work.run();
      } finally {
        scope.close();
      }
    };
  }

  /** Returns the same work with the cause of the calling thread, for another thread. */
  public static <T> Callable<T> handedOn(Callable<T> work) {
    Cause cause = current();
    return () -> {
      Scope scope = cause.open();
      try {
        return work.call();
      } finally {
        scope.close();
      }
    };
  }
}
