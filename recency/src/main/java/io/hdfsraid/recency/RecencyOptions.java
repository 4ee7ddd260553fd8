// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.recency.auditlog.AuditLogSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The sources from which the index is built.
 *
 * @param mode how the namespace is read
 * @param rereadAfter the time after which an image is read again, even if the edit log has no gap
 * @param scratch the folder for an image while it is read
 * @param atimeSince since when access times are recorded, if the administrator says so
 * @param auditLogs the audit logs; empty if none is followed
 * @param ownRoot the directory of the parity
 */
public record RecencyOptions(
    Mode mode,
    Duration rereadAfter,
    Path scratch,
    Optional<Instant> atimeSince,
    Optional<AuditLogSettings> auditLogs,
    String ownRoot) {

  /** How the namespace is read. */
  public enum Mode {
    /** Reads the NameNode's image, then follows its edit log. */
    IMAGE,
    /** Lists every directory for each evaluation. */
    LISTING
  }

  /** Returns options for listings and the access times in them. */
  public static RecencyOptions listing(String ownRoot, Optional<Instant> atimeSince) {
    return new RecencyOptions(
        Mode.LISTING,
        Duration.ofDays(7),
        Path.of(System.getProperty("java.io.tmpdir")),
        atimeSince,
        Optional.empty(),
        ownRoot);
  }
}
