package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the members of a group that newer parity protects: parity of a later generation, of another
 * group, or of their own. The group is no longer responsible for these members. A snapshot can keep
 * the parity of a group for months after its members have moved to other parity. Giving those
 * members their replicas back would dissolve the parity that protects them now.
 */
public final class SupersedingParity {
  private final ClusterAccess cluster;
  private final Memberships memberships;

  public SupersedingParity(ClusterAccess cluster, Memberships memberships) {
    this.cluster = cluster;
    this.memberships = memberships;
  }

  /**
   * The files that another group in service protects. One look-up for each such group that they are
   * written down for.
   */
  public Set<Long> ofGroups(GroupId group, Collection<Long> inodes) throws IOException {
    Map<GroupId, Set<Long>> members = new HashMap<>();
    Set<Long> elsewhere = new HashSet<>();
    for (long inode : inodes) {
      // A note of an earlier generation is only old.
      Optional<GroupId> noted =
          memberships.groupOf(inode).filter(other -> !other.equals(group) && !group.isAfter(other));
      if (noted.isPresent()) {
        GroupId other = noted.get();
        if (!members.containsKey(other)) {
          members.put(other, membersOf(other));
        }
        if (members.get(other).contains(inode)) {
          elsewhere.add(inode);
        }
      }
    }
    return elsewhere;
  }

  /**
   * Whether a file is in a group that is in service, by our notes or, where they are lost, by the
   * file's own hint.
   */
  public boolean isInGroup(long inode) throws IOException {
    return names(memberships.groupOf(inode), inode) || names(cluster.parity().hintOf(inode), inode);
  }

  private boolean names(Optional<GroupId> group, long inode) throws IOException {
    return group.isPresent() && membersOf(group.get()).contains(inode);
  }

  private Set<Long> membersOf(GroupId group) throws IOException {
    return cluster.parity().find(group.value()).stream()
        .flatMap(parity -> parity.manifest().members().stream())
        .map(Member::inode)
        .collect(Collectors.toSet());
  }

  /** The files that another group or parity of their own protects. One look-up for each file. */
  public Set<Long> ofAnyKind(GroupId group, Collection<LocatedFile> files) throws IOException {
    Set<Long> elsewhere = ofGroups(group, files.stream().map(LocatedFile::inode).toList());
    for (LocatedFile file : files) {
      if (!elsewhere.contains(file.inode()) && cluster.parity().find(file.inode()).isPresent()) {
        elsewhere.add(file.inode());
      }
    }
    return elsewhere;
  }
}
