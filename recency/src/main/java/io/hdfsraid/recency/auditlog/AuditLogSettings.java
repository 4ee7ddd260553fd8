// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/**
 * Which audit logs are followed and how they are read.
 *
 * @param logs the paths of the files that NameNodes write, in which {@code *} matches any
 *     characters of a name; files beside them whose names continue with {@code .} or {@code -} are
 *     their rotated predecessors
 * @param zone the time zone of the lines
 * @param history how far back a log is read that was never followed
 * @param ownRoot the directory of the parity; reads below it are our own
 */
public record AuditLogSettings(
    List<String> logs, ZoneId zone, IgnoredReaders ignored, Duration history, String ownRoot) {
  public AuditLogSettings {
    logs = List.copyOf(logs);
  }

  /** Returns whether a readable file matches this path or pattern now. */
  public static boolean isThere(String log) {
    try {
      return new AuditLogNames(List.of(log)).find(List.of()).stream().anyMatch(Files::isReadable);
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }
}
