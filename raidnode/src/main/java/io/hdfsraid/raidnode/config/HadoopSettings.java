// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Names as whom the daemon logs in where Hadoop asks for Kerberos. Both are set, or neither.
 *
 * @param principal may hold {@code _HOST}, which stands for the name of this machine; empty: the
 *     daemon uses the ticket cache of its user
 * @param keytab file with the keys of the principal; relative to the folder of the configuration
 *     file
 */
public record HadoopSettings(Optional<String> principal, Optional<Path> keytab) {
  public HadoopSettings {
    // A key without a value arrives as an empty string.
    principal = principal == null ? Optional.empty() : principal.filter(name -> !name.isBlank());
    keytab = keytab == null ? Optional.empty() : keytab.filter(file -> !file.toString().isEmpty());
  }
}
