// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Names a Kerberos principal. Both are set, or neither.
 *
 * @param principal such as {@code raid/_HOST@EXAMPLE.COM}; {@code _HOST} stands for the name of
 *     this machine
 * @param keytab file with the keys of the principal; relative to the folder of the configuration
 *     file
 */
public record PrincipalSettings(Optional<String> principal, Optional<Path> keytab) {
  static final PrincipalSettings NONE = new PrincipalSettings(Optional.empty(), Optional.empty());

  public PrincipalSettings {
    // A key without a value arrives as an empty string.
    principal = principal == null ? Optional.empty() : principal.filter(name -> !name.isBlank());
    keytab = keytab == null ? Optional.empty() : keytab.filter(file -> !file.toString().isEmpty());
  }

  /** Returns where the keytab is, if there is one. */
  Optional<Path> keytab(Path folder) {
    return keytab.map(file -> folder.resolve(file).normalize());
  }
}
