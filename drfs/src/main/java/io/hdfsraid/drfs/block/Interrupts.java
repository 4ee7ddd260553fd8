// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Interrupts of threads that wait for HDFS. */
public final class Interrupts {
  private Interrupts() {}

  /**
   * Whether this failure says that the thread that met it was interrupted. A timeout of a socket
   * has a type that says so, too, and is none.
   */
  public static boolean isInterrupt(Throwable failure) {
    return failure instanceof ClosedByInterruptException
        || (failure instanceof InterruptedIOException
            && !(failure instanceof SocketTimeoutException));
  }

  /**
   * Returns what a reader throws that was interrupted, and sets its interrupt flag again.
   *
   * @param meanwhile what it was doing, e.g. {@code waiting for memory}
   */
  public static InterruptedIOException interrupted(String meanwhile, InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted =
        new InterruptedIOException("Interrupted while " + meanwhile);
    interrupted.initCause(e);
    return interrupted;
  }

  /**
   * Waits for the answer of another thread.
   *
   * @param meanwhile what this thread is doing, e.g. {@code waiting for a checksum}
   * @throws InterruptedIOException if interrupted; the interrupt flag is set
   * @throws IOException that of the other thread, or one that has its failure as the cause
   */
  public static <T> T await(Future<T> answer, String meanwhile) throws IOException {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      throw interrupted(meanwhile, e);
    } catch (ExecutionException e) {
      throw failure(e, meanwhile);
    }
  }

  /** Returns the failure of another thread, for the one that waited for it. */
  public static IOException failure(ExecutionException e, String meanwhile) {
    return e.getCause() instanceof IOException failure
        ? failure
        : new IOException("Failed while " + meanwhile, e.getCause());
  }
}
