package io.hdfsraid.raidnode.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Who may use the REST API, the metrics and the health checks.
 *
 * @param tokenFile holds the token that every request must bring, one line; relative to the folder
 *     of the configuration file. Empty: none is asked for, and only this machine is listened to
 */
public record ApiSettings(Optional<Path> tokenFile) {
  public ApiSettings {
    // A key without a value arrives as an empty text.
    tokenFile =
        tokenFile == null ? Optional.empty() : tokenFile.filter(file -> !file.toString().isEmpty());
  }
}
