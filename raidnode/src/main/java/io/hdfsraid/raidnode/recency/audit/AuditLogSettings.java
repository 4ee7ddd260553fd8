package io.hdfsraid.raidnode.recency.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/**
 * Where audit logs are and how they are read.
 *
 * @param logs the files that NameNodes write to, each with its path, in which {@code *} stands for
 *     anything within a name; files beside them whose name goes on with {@code .} or {@code -} are
 *     what they were renamed to
 * @param zone of the times in them
 * @param history how far back files are read that were never followed
 * @param ownRoot the directory of the parity, whose reads are ours
 */
public record AuditLogSettings(
    List<String> logs, ZoneId zone, IgnoredReaders ignored, Duration history, String ownRoot) {
  public AuditLogSettings {
    logs = List.copyOf(logs);
  }

  /** Whether there is now a file that can be read of this path, or of this pattern. */
  public static boolean isThere(String log) {
    try {
      return new LiveLogs(List.of(log)).find(List.of()).stream().anyMatch(Files::isReadable);
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }
}
