package io.hdfsraid.raidnode.config;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known about when files are used.
 *
 * @param atimeSince since when the NameNode has recorded access times without a break; empty: found
 *     out from the namespace, as the earliest access time that is later than its file's last change
 */
public record RecencySettings(Optional<Instant> atimeSince) {
  public RecencySettings {
    atimeSince = atimeSince == null ? Optional.empty() : atimeSince;
  }
}
