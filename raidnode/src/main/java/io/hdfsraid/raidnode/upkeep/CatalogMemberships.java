// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.raidnode.catalog.KnownGroups;
import io.hdfsraid.raidnode.raiding.core.Memberships;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Memberships stored in the catalog, so that they survive a restart. */
public final class CatalogMemberships implements Memberships {
  private final KnownGroups known;

  public CatalogMemberships(KnownGroups known) {
    this.known = known;
  }

  @Override
  public Optional<GroupId> groupOf(long inode) {
    return known.groupOf(inode).map(GroupId::new);
  }

  @Override
  public List<Long> membersOf(GroupId group) {
    return known.membersOf(group.value());
  }

  @Override
  public void joined(GroupId group, Collection<Long> members) {
    known.put(group.value(), members);
  }

  @Override
  public void left(GroupId group, Collection<Long> members) {
    known.remove(group.value(), members);
  }
}
