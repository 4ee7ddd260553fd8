// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.raidnode.raiding.core.Memberships;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Group membership for files that all have stripes of their own. */
final class NoGroups implements Memberships {
  @Override
  public Optional<GroupId> groupOf(long inode) {
    return Optional.empty();
  }

  @Override
  public List<Long> membersOf(GroupId group) {
    return List.of();
  }

  @Override
  public void joined(GroupId group, Collection<Long> members) {}

  @Override
  public void left(GroupId group, Collection<Long> members) {}
}
