// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.io.IOException;
import java.util.Set;

/** The users and groups of the cluster, as Hadoop knows them. */
public interface Users {
  /**
   * Returns the user that a Kerberos principal stands for.
   *
   * @throws IOException if the principal stands for no user here
   */
  String user(String principal) throws IOException;

  /** Returns the groups of a user; none if nobody knows any. */
  Set<String> groups(String user);
}
