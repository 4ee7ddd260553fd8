// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StripeJobsTest {
  private static final int ATTEMPTS = 6;
  private static final Duration PATIENCE = Duration.ofMillis(300);

  /** Closes each connection without an answer, or leaves it open. */
  private static final class MuteResourceManager implements AutoCloseable {
    private static final int BACKLOG = 5;

    private final boolean closes;
    private final ServerSocket socket;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();

    MuteResourceManager(boolean closes) throws IOException {
      this.closes = closes;
      int anyPort = 0;
      socket = new ServerSocket(anyPort, BACKLOG, InetAddress.getLoopbackAddress());
      Thread answering = new Thread(this::answer, "mute-resource-manager");
      answering.setDaemon(true);
      answering.start();
    }

    String address() {
      return "localhost:" + socket.getLocalPort();
    }

    private void answer() {
      try {
        while (true) {
          Socket connection = socket.accept();
          calls.incrementAndGet();
          if (closes) {
            connection.close();
          } else {
            open.add(connection);
          }
        }
      } catch (IOException e) {
        // The test has ended.
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
      for (Socket connection : open) {
        connection.close();
      }
    }
  }

  private static void assertNotAnswered(Configuration conf) throws IOException {
    ContainerSettings settings =
        new ContainerSettings(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            Optional.empty(),
            1024,
            1,
            1,
            1,
            Optional.empty());
    StripeJobs jobs = new StripeJobs(conf, "BP-1", settings, PATIENCE);
    assertThatIOException().isThrownBy(jobs::facts);
  }

  @Test
  void aResourceManagerThatDoesNotAnswerIsAskedAFewTimesOnly() throws IOException {
    try (MuteResourceManager mute = new MuteResourceManager(true)) {
      Configuration conf = new Configuration();
      conf.set(YarnConfiguration.RM_ADDRESS, mute.address());

      assertNotAnswered(conf);

      assertThat(mute.calls.get()).isBetween(2, ATTEMPTS + 1);
    }
  }

  @Test
  void aResourceManagerThatSaysNothingIsNotWaitedForLong() throws IOException {
    try (MuteResourceManager mute = new MuteResourceManager(false)) {
      Configuration conf = new Configuration();
      conf.set(YarnConfiguration.RM_ADDRESS, mute.address());

      assertNotAnswered(conf); // an answer alone would be waited for two minutes

      assertThat(mute.calls.get()).isPositive();
    }
  }

  @Test
  void theSecondResourceManagerIsAskedIfTheFirstDoesNotAnswer() throws IOException {
    try (MuteResourceManager first = new MuteResourceManager(true);
        MuteResourceManager second = new MuteResourceManager(true)) {
      Configuration conf = new Configuration();
      conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
      conf.set(YarnConfiguration.RM_HA_IDS, "one,two");
      conf.set(YarnConfiguration.RM_ADDRESS + ".one", first.address());
      conf.set(YarnConfiguration.RM_ADDRESS + ".two", second.address());

      assertNotAnswered(conf);

      assertThat(first.calls.get()).isPositive();
      assertThat(second.calls.get()).isPositive();
      assertThat(first.calls.get() + second.calls.get()).isLessThanOrEqualTo(ATTEMPTS + 1);
    }
  }

  @Test
  void aConnectionThatIsRefusedIsNotTriedTenTimesByEachAttempt() throws IOException {
    String nobody;
    try (MuteResourceManager gone = new MuteResourceManager(true)) {
      nobody = gone.address();
    }
    Configuration conf = new Configuration();
    conf.set(YarnConfiguration.RM_ADDRESS, nobody);

    assertNotAnswered(conf); // would take more than a minute
  }
}
