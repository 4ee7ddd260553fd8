package io.hdfsraid.tests.recency;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/** The audit log of the NameNode in this process, with Hadoop's own pattern of a line. */
final class AuditLogFile implements AutoCloseable {
  private static final Logger AUDIT =
      (Logger) LoggerFactory.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");

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
  static AuditLogFile in(Path folder) {
    return new AuditLogFile(folder.resolve("hdfs-audit.log"));
  }

  String path() {
    return appender.getFile();
  }

  @Override
  public void close() {
    AUDIT.detachAppender(appender);
    AUDIT.setLevel(null);
    AUDIT.setAdditive(true);
    appender.stop();
  }
}
