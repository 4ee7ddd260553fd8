// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.raidnode.hdfs.NameNodeAddress;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.ShellException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;

/**
 * Asks once whether a NameNode answers, before commands use clients that would wait for minutes.
 */
public final class NameNodeAnswer {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private NameNodeAnswer() {}

  /**
   * Returns when a NameNode has answered.
   *
   * @throws ShellException if none answers within ten seconds
   */
  public static void require(URI hdfs, Configuration conf) throws IOException {
    ExecutorService asking =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread thread = new Thread(work, "asks the NameNode");
              thread.setDaemon(true);
              return thread;
            });
    Future<?> answer =
        asking.submit(
            () -> {
              new NameNodeAddress(hdfs, conf).requireAnswer();
              return null;
            });
    try {
      answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new ShellException(
          ExitCode.IO,
          "No NameNode of %s has answered within %d s".formatted(hdfs, PATIENCE.toSeconds()),
          "Is it running, can this machine reach it, and is HADOOP_CONF_DIR the folder of this"
              + " cluster?");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RefusedException silence) {
        throw new ShellException(ExitCode.IO, silence.getMessage(), "");
      }
      throw new IOException("The NameNode of " + hdfs + " could not be asked", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("Interrupted while the NameNode was asked").initCause(e);
    } finally {
      asking.shutdownNow();
    }
  }
}
