// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hdfsraid.raidnode.hdfs.NameNodeTrouble;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class NameNodeWatchTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String REFUSED = "Connection refused";

  private final Logger log = (Logger) LoggerFactory.getLogger(NameNodeWatch.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private Level before;
  private Optional<NameNodeTrouble> problem = Optional.empty();
  private Duration passed = Duration.ZERO;
  private int asked;

  private final NameNodeWatch watch =
      new NameNodeWatch(
          "hdfs://nn1:8020",
          () -> {
            asked++;
            return problem;
          },
          Clock.fixed(NOW, ZoneOffset.UTC),
          () -> passed.toNanos());

  @BeforeEach
  void listen() {
    before = log.getLevel();
    log.setLevel(Level.INFO);
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    log.detachAppender(lines);
    log.setLevel(before);
  }

  private List<String> said() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void tenMinutesOfOutageAreElevenLines() {
    watch.look();
    assertThat(said()).isEmpty();
    problem = Optional.of(NameNodeTrouble.silence(REFUSED));
    for (int i = 0; i < 60; i++) {
      watch.look();
      passed = passed.plusSeconds(10);
    }
    assertThat(watch.outage())
        .contains(new NameNodeWatch.Outage("hdfs://nn1:8020", NOW, problem.get()));
    problem = Optional.empty();
    AtomicInteger back = new AtomicInteger();
    watch.whenBack(over -> back.incrementAndGet());
    watch.look();
    watch.look();
    assertThat(back).as("once").hasValue(1);
    assertThat(watch.outage()).isEmpty();
    assertThat(said())
        .hasSize(11)
        .startsWith(
            "NameNode hdfs://nn1:8020 does not answer: Connection refused; raiding, repairs and scrubs wait",
            "NameNode hdfs://nn1:8020 has not answered for 60 s: Connection refused")
        .endsWith("NameNode hdfs://nn1:8020 is well again after 600 s; everything goes on");
  }

  @Test
  void aFailureIsExplainedIfTheNameNodeDoesNotAnswerNow() {
    assertThat(watch.explains(new ConnectException(REFUSED))).isFalse();
    assertThat(asked).isEqualTo(1);
    problem = Optional.of(NameNodeTrouble.silence(REFUSED));
    assertThat(watch.explains(new ConnectException(REFUSED)))
        .as("it was asked meanwhile")
        .isFalse();
    assertThat(asked).isEqualTo(1);
    passed = passed.plusNanos(1);
    assertThat(watch.explains(new ConnectException(REFUSED))).isTrue();
    assertThat(watch.explains(new UncheckedIOException(new ConnectException(REFUSED)))).isTrue();
    assertThat(asked).isEqualTo(2);
    assertThat(watch.explains(new IllegalStateException("a bug"))).isFalse();
    assertThat(watch.explains(new IOException("No space left on device"))).isFalse();
    assertThat(watch.explains(new InterruptedIOException("cancelled"))).isFalse();
    assertThat(watch.explains(new SocketTimeoutException("no answer"))).isTrue();
    assertThat(watch.explains(new IOException("Client cannot authenticate via:[TOKEN, KERBEROS]")))
        .isTrue();
    assertThat(said()).hasSize(1);
  }
}
