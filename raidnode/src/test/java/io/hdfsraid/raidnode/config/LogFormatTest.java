// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.dropwizard.logging.common.ConsoleAppenderFactory;
import io.dropwizard.logging.common.DefaultLoggingFactory;
import io.dropwizard.logging.common.DropwizardLayout;
import io.hdfsraid.raidnode.access.Cause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.slf4j.event.KeyValuePair;

/** What is logged about files with hostile names. */
class LogFormatTest {
  private final LoggerContext context = new LoggerContext();

  LogFormatTest() {
    context.setMDCAdapter(MDC.getMDCAdapter());
  }

  private String line(String message, Throwable failure, String path) {
    DropwizardLayout layout = new DropwizardLayout(context, TimeZone.getTimeZone("UTC"));
    layout.setPattern(RaidNodeConfiguration.LOG_FORMAT);
    layout.start();
    LoggingEvent event =
        new LoggingEvent(
            "test",
            context.getLogger("io.hdfsraid.raidnode.journal.Journal"),
            Level.INFO,
            message,
            failure,
            new Object[] {path});
    if (!path.isEmpty()) {
      event.addKeyValuePair(new KeyValuePair("path", path));
    }
    return layout.doLayout(event);
  }

  @Test
  void aLineNamesTheRequestThatCausedIt() {
    Cause.Scope scope = new Cause("5f3a", "").open();
    try {
      assertThat(line("It is done", null, "/a")).endsWith("It is done path=\"/a\" request=5f3a\n");
    } finally {
      scope.close();
    }
    assertThat(line("It is done", null, "/a")).endsWith("It is done path=\"/a\"\n");
  }

  @Test
  void theShippedFormatIsTheDefault() throws Exception {
    Settings shipped = SettingsFiles.read(Path.of("..", "conf", "raidnode.yml"), Clock.systemUTC());
    DefaultLoggingFactory logging = (DefaultLoggingFactory) shipped.node().getLoggingFactory();
    ConsoleAppenderFactory<ILoggingEvent> console =
        (ConsoleAppenderFactory<ILoggingEvent>) logging.getAppenders().get(0);
    assertThat(console.getLogFormat()).isEqualTo(RaidNodeConfiguration.LOG_FORMAT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a\nERROR [2026-01-01 00:00:00,000] OwnerFile: forged",
        "/a\r\nERROR forged",
        "/a\u0085ERROR forged",
        "/a\u2028ERROR forged",
        "/a\u001b[31mred\u001b]0;title\u0007",
        "/a\u009b31m"
      })
  void noNameForgesALineOrControlsATerminal(String path) {
    String line = line("{} is raided", null, path);
    assertThat(line).endsWith("\n").doesNotContainPattern("[\\p{Cntrl}\\u2028\\u2029&&[^\\n]].*");
    assertThat(line.strip().lines()).hasSize(1);
    assertThat(line)
        .matches("INFO  \\[20\\S+ \\S+\\] Journal: /a\\?.* is raided path=\"/a\\?.*\"\n");
  }

  @Test
  void linesOfAFailureAreMarkedAsSuch() {
    String lines = line("It failed", new IOException("/a\nERROR forged\u001b[31m"), "");
    assertThat(lines).doesNotContain("\u001b");
    assertThat(lines.lines().skip(1)).allSatisfy(line -> assertThat(line).startsWith("! "));
  }

  @Test
  void otherNamesStayAsTheyAreAndNothingTrails() {
    assertThat(line("{} is raided", null, "/é 漢/😀 ?"))
        .endsWith("Journal: /é 漢/😀 ? is raided path=\"/é 漢/😀 ?\"\n");
    assertThat(line("It is done", null, "")).endsWith("Journal: It is done\n");
  }
}
