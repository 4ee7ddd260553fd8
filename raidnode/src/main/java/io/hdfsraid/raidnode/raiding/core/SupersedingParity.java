// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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

  /** Returns the parity in service that a file has: its own, or that of its group. */
  public Optional<ParityFile> inService(long inode) throws IOException {
    Optional<ParityFile> own = cluster.parity().find(inode);
    return own.isPresent() ? own : ofItsGroup(inode);
  }

  /**
   * Returns the parity in service that a file shares. Our notes name its group or, where they are
   * lost, the file's own hint.
   */
  public Optional<ParityFile> ofItsGroup(long inode) throws IOException {
    Optional<ParityFile> noted = naming(memberships.groupOf(inode), inode);
    return noted.isPresent() ? noted : hinted(inode);
  }

  /** Notes the group if the hint is right, because parity of a file is looked for by our notes. */
  private Optional<ParityFile> hinted(long inode) throws IOException {
    Optional<GroupId> hint = cluster.parity().hintOf(inode);
    Optional<ParityFile> parity = naming(hint, inode);
    if (parity.isPresent()) {
      memberships.joined(hint.orElseThrow(), List.of(inode));
    }
    return parity;
  }

  private Optional<ParityFile> naming(Optional<GroupId> group, long inode) throws IOException {
    return group.isEmpty()
        ? Optional.empty()
        : cluster
            .parity()
            .find(group.get().value())
            .filter(parity -> names(parity).contains(inode));
  }

  private Set<Long> membersOf(GroupId group) throws IOException {
    return cluster.parity().find(group.value()).map(SupersedingParity::names).orElse(Set.of());
  }

  private static Set<Long> names(ParityFile parity) {
    return parity.manifest().members().stream().map(Member::inode).collect(Collectors.toSet());
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
