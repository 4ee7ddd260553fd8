package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.raidnode.catalog.KnownGroups;
import io.hdfsraid.raidnode.raid.Memberships;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Memberships that outlive a restart: in the catalog. */
final class GroupNotes implements Memberships {
  private final KnownGroups known;

  GroupNotes(KnownGroups known) {
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
