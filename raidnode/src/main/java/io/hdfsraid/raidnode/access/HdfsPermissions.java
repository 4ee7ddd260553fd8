// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Tells what HDFS knows about who may list directories. */
public interface HdfsPermissions {
  /**
   * Returns whether modes and ACLs alone decide. False with an external authorizer, such as Apache
   * Ranger, and while it is not known whether there is one.
   */
  boolean decide();

  /** Returns who may list a directory; empty if there is no directory at the path. */
  Optional<ListRights> of(String directory) throws IOException;

  /** Returns the groups of a user as the NameNode knows them; empty for a user without groups. */
  Set<String> groups(String user) throws IOException;
}
