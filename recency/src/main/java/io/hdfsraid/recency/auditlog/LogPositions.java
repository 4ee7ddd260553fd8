// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The positions of several logs. */
final class LogPositions {
  private static final String FORMAT = "1\n";

  private final Map<String, LogPosition> byLog = new TreeMap<>();

  static LogPositions none() {
    return new LogPositions();
  }

  /**
   * @throws IllegalArgumentException if the text has another format
   */
  static LogPositions parse(String text) {
    if (!text.startsWith(FORMAT)) {
      throw new IllegalArgumentException("'%s' are no places in logs".formatted(text));
    }
    LogPositions positions = new LogPositions();
    text.lines()
        .skip(1)
        .forEach(
            line -> {
              int blank = line.indexOf(' ');
              if (blank < 0) {
                throw new IllegalArgumentException("'%s' is no place in a log".formatted(line));
              }
              positions.byLog.put(
                  line.substring(blank + 1), LogPosition.parse(line.substring(0, blank)));
            });
    return positions;
  }

  String text() {
    StringBuilder text = new StringBuilder(FORMAT);
    byLog.forEach((log, at) -> text.append(at.text()).append(' ').append(log).append('\n'));
    return text.toString();
  }

  /** Returns the logs whose position is known. */
  List<Path> logs() {
    return byLog.keySet().stream().map(Path::of).toList();
  }

  Optional<LogPosition> of(Path log) {
    return Optional.ofNullable(byLog.get(log.toString()));
  }

  void move(Path log, LogPosition to) {
    byLog.put(log.toString(), to);
  }
}
