package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.hdfsraid.raidnode.access.Role;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Who may use the REST API, the metrics and the health checks.
 *
 * @param tokensFile file of the tokens that are valid; relative to the folder of the configuration
 *     file
 * @param withoutToken name of the role of requests from this machine without a token, or {@code
 *     none}
 * @param hosts names under which this machine is reached, beside its own
 * @param requireReason whether each change must have a reason; default false
 */
public record ApiSettings(
    Path tokensFile,
    @Pattern(
            regexp = "none|viewer|operator|admin",
            message = "must be none, viewer, operator or admin")
        String withoutToken,
    List<String> hosts,
    Boolean requireReason) {
  private static final String NOBODY = "none";

  public ApiSettings {
    // A key without a value arrives as an empty path.
    tokensFile =
        tokensFile == null || tokensFile.toString().isEmpty()
            ? Path.of("..", "data", "tokens.json")
            : tokensFile;
    withoutToken = requireNonNullElse(withoutToken, NOBODY);
    hosts = hosts == null ? List.of() : List.copyOf(hosts);
    requireReason = requireNonNullElse(requireReason, false);
  }

  /** Returns the role of requests from this machine without a token; empty if they are rejected. */
  public Optional<Role> roleWithoutToken() {
    return withoutToken.equals(NOBODY) ? Optional.empty() : Optional.of(Role.of(withoutToken));
  }
}
