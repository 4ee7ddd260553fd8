// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.parity.GroupId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Remembers which group each file belongs to, so that no caller must read all manifests. An entry
 * is only a hint: callers compare it with the manifest. Missing entries are found again when the
 * groups are checked. Safe for concurrent use.
 */
public interface Memberships {

  /** The group a file was last written down for. */
  Optional<GroupId> groupOf(long inode);

  /** The files that are written down for a group. */
  List<Long> membersOf(GroupId group);

  /** From now on these files belong to this group, whichever they were in before. */
  void joined(GroupId group, Collection<Long> members);

  /** These files do not belong to this group any more; others are left as they are. */
  void left(GroupId group, Collection<Long> members);
}
