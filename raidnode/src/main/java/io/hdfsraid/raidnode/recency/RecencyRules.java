package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.recency.audit.AuditLogSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Where the knowledge about files and their use comes from.
 *
 * @param way how the namespace is read
 * @param rereadAfter when an image is read anew, though the edit log was followed without a gap
 * @param scratch where an image is kept while it is read
 * @param atimeSince since when access times can be believed, where the administrator says so
 * @param auditLogs empty: none is followed
 * @param ownRoot the directory of the parity
 */
public record RecencyRules(
    Way way,
    Duration rereadAfter,
    Path scratch,
    Optional<Instant> atimeSince,
    Optional<AuditLogSettings> auditLogs,
    String ownRoot) {

  /** How the namespace is read. */
  public enum Way {
    /** The NameNode's image, and then its edit log. */
    IMAGE,
    /** Every directory, with each scan. */
    LISTING
  }

  /** Listings, and the access times in them. */
  public static RecencyRules listing(String ownRoot, Optional<Instant> atimeSince) {
    return new RecencyRules(
        Way.LISTING,
        Duration.ofDays(7),
        Path.of(System.getProperty("java.io.tmpdir")),
        atimeSince,
        Optional.empty(),
        ownRoot);
  }
}
