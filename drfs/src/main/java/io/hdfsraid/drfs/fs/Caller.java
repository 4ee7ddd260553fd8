// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Interrupts;
import java.io.IOException;
import java.security.PrivilegedAction;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user and the caller context of a thread, for what is done on its behalf later or elsewhere.
 *
 * @param user empty if not known
 * @param context null if there is none
 */
record Caller(Optional<UserGroupInformation> user, CallerContext context) {
  private static final Logger LOG = LoggerFactory.getLogger(Caller.class);

  static Caller current() {
    Optional<UserGroupInformation> user = Optional.empty();
    try {
      user = Optional.of(UserGroupInformation.getCurrentUser());
    } catch (IOException e) {
      LOG.debug("The current user is not known", e);
    }
    return new Caller(user, CallerContext.getCurrent());
  }

  /** Returns this work for a thread of its own, which has no caller context otherwise. */
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

  /** A question to a service that asks who the current user is. */
  interface Question<T> {
    T ask() throws IOException;
  }

  /** Asks in this thread as this user. */
  <T> T ask(Question<T> question) throws IOException {
    if (user.isEmpty()) {
      return question.ask();
    }
    try {
      return user.get().doAs((PrivilegedExceptionAction<T>) question::ask);
    } catch (InterruptedException e) {
      throw Interrupts.interrupted("asking as " + user.get().getShortUserName(), e);
    }
  }
}
