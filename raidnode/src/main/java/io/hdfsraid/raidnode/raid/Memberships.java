package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.parity.GroupId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Which group each file belongs to, as far as the daemon remembers: a note, so that nobody need
 * read all manifests to find one. What it says is held against the manifest; what it does not know
 * is found again when the groups are looked through. Safe for concurrent use.
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
