// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.util.Locale;

/** Names what shows who somebody is. */
public enum KnownBy {
  /** A token of the daemon. */
  TOKEN,
  /** A Kerberos ticket for the daemon. */
  KERBEROS,
  /** Nothing: the user is on this machine and has said so. */
  UNPROVEN;

  /** Returns the name as the audit has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
