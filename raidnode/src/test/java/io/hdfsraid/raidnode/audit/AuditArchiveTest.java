// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.audit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidnode.audit.AuditArchive.Series;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The audit on HDFS stays within its limits and never stands in the way. */
class AuditArchiveTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final AuditFilesInMemory files = new AuditFilesInMemory();
  private final SetClock clock = new SetClock();

  private static final class SetClock extends Clock {
    Instant now = Instant.parse("2029-06-01T00:00:00.250Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  private AuditArchive archive(long fileBytes, int most, long waiting) {
    return new AuditArchive(
        files, new AuditArchive.Limits(fileBytes, most, waiting), KnownTrouble.NONE, clock);
  }

  private AuditEntry line(String path) {
    return new AuditEntry(clock.now, "raided").with("path", path);
  }

  private List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String content : files.content.values()) {
      for (String line : content.lines().toList()) {
        lines.add(JSON.readTree(line));
      }
    }
    return lines;
  }

  @Test
  void linesOfADayAreAppendedToOneFile() throws IOException {
    AuditArchive archive = archive(10_000, 5, 10_000);
    archive.write();
    assertThat(files.content).isEmpty();
    archive.add(Series.REQUESTS, line("/a"));
    archive.write();
    archive.add(Series.REQUESTS, line("/b"));
    archive.add(Series.ACTIONS, line("/c"));
    archive.write();
    assertThat(files.content.keySet())
        .containsExactly(
            "actions-20290601T000000.250Z.jsonl", "requests-20290601T000000.250Z.jsonl");
    assertThat(lines())
        .extracting(line -> line.get("path").asText())
        .containsExactly("/c", "/a", "/b");

    clock.now = clock.now.plus(Duration.ofDays(1));
    archive.add(Series.REQUESTS, line("/d"));
    archive.write();
    assertThat(files.content).hasSize(3);
  }

  @Test
  void theOldestFilesGoAndRequestsOutliveABusyPolicy() throws IOException {
    AuditArchive archive = archive(300, 3, 1_000_000);
    archive.add(Series.REQUESTS, line("/asked"));
    for (int i = 0; i < 100; i++) {
      archive.add(Series.ACTIONS, line("/" + i));
    }
    archive.write();
    assertThat(files.content)
        .hasSize(4)
        .allSatisfy((name, text) -> assertThat(text.length()).isLessThanOrEqualTo(300));
    assertThat(lines())
        .extracting(line -> line.get("path").asText())
        .contains("/99", "/asked")
        .doesNotContain("/0");
  }

  @Test
  void aClockThatIsSetBackDeletesNothingNew() throws IOException {
    AuditArchive before = archive(10_000, 2, 10_000);
    before.add(Series.REQUESTS, line("/late"));
    before.write();
    clock.now = clock.now.minus(Duration.ofDays(400));
    AuditArchive after = archive(10_000, 2, 10_000);
    after.add(Series.REQUESTS, line("/early"));
    after.write();
    assertThat(files.content.lastEntry().getValue()).contains("/early");
    assertThat(files.content.keySet())
        .containsExactly(
            "requests-20290601T000000.250Z.jsonl", "requests-20290601T000000.251Z.jsonl");
  }

  @Test
  void whileHdfsIsAwayLinesWaitAndWhatIsDroppedIsCounted() throws IOException {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    Logger logger = (Logger) LoggerFactory.getLogger(AuditArchive.class);
    Level before = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.addAppender(log);
    try {
      AuditArchive archive = archive(100_000, 5, 1_000);
      files.away = true;
      for (int i = 0; i < 100; i++) {
        archive.add(Series.ACTIONS, line("/" + i));
        archive.write();
      }
      files.away = false;
      archive.write();
      archive.add(Series.ACTIONS, line("/later"));
      archive.write();
    } finally {
      logger.detachAppender(log);
      logger.setLevel(before);
    }
    List<JsonNode> lines = lines();
    int kept = lines.size() - 2;
    assertThat(lines.get(0).get("path").asText()).isEqualTo("/0");
    assertThat(lines.get(kept).get("what").asText()).isEqualTo("dropped");
    assertThat(lines.get(kept).get("lines").asInt()).isEqualTo(100 - kept);
    assertThat(lines.get(kept + 1).get("path").asText()).isEqualTo("/later");
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .satisfiesExactly(
            line -> assertThat(line).contains("cannot be written", "Quota of /.raid exceeded"),
            line -> assertThat(line).contains("misses lines"),
            line -> assertThat(line).contains("written again"));
  }

  @Test
  void noNameForgesALine() {
    String json =
        line("/a\n{\"what\":\"forged\"}\u001b[31m\u2028\u202e\u007f\u0085\\ \u00e9").toJson();
    assertThat(json).matches("[ -~]+\\n");
    assertThat(json.lines()).hasSize(1);
  }

  @Test
  void aLongValueIsCut() throws IOException {
    String path = JSON.readTree(line("/" + "x".repeat(5_000)).toJson()).get("path").asText();
    assertThat(path).hasSize(AuditEntry.LONGEST + 3).endsWith("...");
  }
}
