// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.util.Optional;
import java.util.Set;

/**
 * A user as HDFS knows it.
 *
 * @param name empty for somebody whose name nothing proves, who may do what all others may
 * @param groups the groups of the user, by the group mapping of the NameNode
 */
record HdfsUser(Optional<String> name, Set<String> groups) {
  static final HdfsUser UNKNOWN = new HdfsUser(Optional.empty(), Set.of());
}
