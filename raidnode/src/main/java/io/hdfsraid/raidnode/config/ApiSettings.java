package io.hdfsraid.raidnode.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Who may use the REST API, the metrics and the health checks.
 *
 * @param tokenFile file with the token that every request must bring, one line; relative to the
 *     folder of the configuration file. Empty: no token is required, and the daemon listens on this
 *     machine only
 */
public record ApiSettings(Optional<Path> tokenFile) {
  public ApiSettings {
    // A key without a value arrives as an empty string.
    tokenFile =
        tokenFile == null ? Optional.empty() : tokenFile.filter(file -> !file.toString().isEmpty());
  }
}
