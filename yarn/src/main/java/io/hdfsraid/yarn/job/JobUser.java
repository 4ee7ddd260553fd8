// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.security.UserGroupInformation;

/** The user as whom jobs run. */
record JobUser(UserGroupInformation user) {

  /**
   * Calls YARN or HDFS as this user.
   *
   * @throws InterruptedIOException if interrupted; the interrupt flag is set
   * @throws IOException that of the call, or one with the message of any other failure of it
   */
  <T> T call(PrivilegedExceptionAction<T> call) throws IOException {
    try {
      return user.doAs(call);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("Interrupted while YARN was asked").initCause(e);
    } catch (UndeclaredThrowableException e) { // such as that of a class that is missing
      Throwable failure = e.getCause();
      throw new IOException(
          "%s: %s".formatted(failure.getClass().getSimpleName(), failure.getMessage()), failure);
    }
  }
}
