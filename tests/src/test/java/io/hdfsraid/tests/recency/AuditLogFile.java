// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.slf4j.LoggerFactory;

/** The audit log of the NameNode in this process, with Hadoop's own pattern of a line. */
public final class AuditLogFile implements AutoCloseable {
  private static final Logger AUDIT =
      (Logger) LoggerFactory.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");

  /** The commands that change nothing. Every other command is taken for a change. */
  private static final Set<String> LOOKS =
      Set.of(
          "datanodeReport",
          "fsck",
          "getAclStatus",
          "getDatanodeStorageReport",
          "getEZForPath",
          "getXAttrs",
          "getfileinfo",
          "listSnapshottableDirectory",
          "listStatus",
          "open",
          "safemode_get");

  private final FileAppender<ILoggingEvent> appender = new FileAppender<>();

  private AuditLogFile(Path file) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(AUDIT.getLoggerContext());
    encoder.setPattern("%d{\"yyyy-MM-dd HH:mm:ss,SSS\"} %p FSNamesystem.audit: %m%n");
    encoder.start();
    appender.setContext(AUDIT.getLoggerContext());
    appender.setEncoder(encoder);
    appender.setFile(file.toString());
    appender.start();
    AUDIT.setLevel(Level.INFO);
    AUDIT.setAdditive(false);
    AUDIT.addAppender(appender);
  }

  /** Begins to write {@code hdfs-audit.log} in a folder. */
  public static AuditLogFile in(Path folder) {
    return new AuditLogFile(folder.resolve("hdfs-audit.log"));
  }

  public String path() {
    return appender.getFile();
  }

  /** Writes a line of our own between those of the NameNode. */
  public void note(String line) {
    AUDIT.info(line);
  }

  public List<String> lines() throws IOException {
    return Files.readAllLines(Path.of(path()));
  }

  /** Whether the NameNode has carried out a command that may change something. */
  public static boolean isChange(String line) {
    return line.contains("allowed=true")
        && LOOKS.stream().noneMatch(look -> line.contains("\tcmd=" + look + "\t"));
  }

  @Override
  public void close() {
    AUDIT.detachAppender(appender);
    AUDIT.setLevel(null);
    AUDIT.setAdditive(true);
    appender.stop();
  }
}
