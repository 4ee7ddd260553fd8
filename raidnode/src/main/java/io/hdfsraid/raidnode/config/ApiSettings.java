// SPDX-License-Identifier: Apache-2.0
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
 * @param views whose names of files viewers see: of {@code all}, or of those that HDFS would let
 *     them list, {@code permitted}
 * @param kerberos for whom Kerberos tickets are accepted; default: for nobody
 * @param roles the roles of users with a Kerberos ticket
 */
public record ApiSettings(
    Path tokensFile,
    @Pattern(
            regexp = "none|viewer|operator|admin",
            message = "must be none, viewer, operator or admin")
        String withoutToken,
    List<String> hosts,
    Boolean requireReason,
    @Pattern(regexp = "all|permitted", message = "must be all or permitted") String views,
    PrincipalSettings kerberos,
    RolesSettings roles) {
  private static final String NOBODY = "none";
  private static final String PERMITTED = "permitted";

  public ApiSettings {
    // A key without a value arrives as an empty path.
    tokensFile =
        tokensFile == null || tokensFile.toString().isEmpty()
            ? Path.of("..", "data", "tokens.json")
            : tokensFile;
    withoutToken = requireNonNullElse(withoutToken, NOBODY);
    hosts = hosts == null ? List.of() : List.copyOf(hosts);
    requireReason = requireNonNullElse(requireReason, false);
    views = requireNonNullElse(views, PERMITTED);
    kerberos = requireNonNullElse(kerberos, PrincipalSettings.NONE);
    roles = requireNonNullElse(roles, RolesSettings.NONE);
  }

  /** Returns the role of requests from this machine without a token; empty if they are rejected. */
  public Optional<Role> roleWithoutToken() {
    return withoutToken.equals(NOBODY) ? Optional.empty() : Optional.of(Role.of(withoutToken));
  }

  /** Returns whether viewers see only the names of files that HDFS would let them list. */
  public boolean limitsViews() {
    return views.equals(PERMITTED);
  }
}
