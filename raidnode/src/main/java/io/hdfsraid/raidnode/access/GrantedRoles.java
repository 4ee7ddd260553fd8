// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The roles of users and groups. The highest role that a user or one of the groups has, counts. */
public final class GrantedRoles {
  /** Stands for every user. */
  public static final String EVERYBODY = "*";

  private final Map<Role, Members> members;

  /** The users and groups that have one role. */
  public record Members(Set<String> users, Set<String> groups) {
    public Members {
      users = Set.copyOf(users);
      groups = Set.copyOf(groups);
    }

    boolean isEmpty() {
      return users.isEmpty() && groups.isEmpty();
    }
  }

  public GrantedRoles(Map<Role, Members> members) {
    this.members = new EnumMap<>(Role.class);
    this.members.putAll(members);
  }

  /** Returns whether nobody has a role. */
  public boolean isEmpty() {
    return members.values().stream().allMatch(Members::isEmpty);
  }

  /**
   * Returns the role of a user; empty if there is none.
   *
   * @param groups asked only if some group has a role: to find them may take a while
   */
  public Optional<Role> of(String user, Supplier<Set<String>> groups) {
    boolean asked = members.values().stream().anyMatch(some -> !some.groups().isEmpty());
    Set<String> own = asked ? groups.get() : Set.of();
    return members.entrySet().stream()
        .filter(entry -> has(entry.getValue(), user, own))
        .map(Map.Entry::getKey)
        .max(Comparator.naturalOrder());
  }

  private static boolean has(Members some, String user, Set<String> groups) {
    return some.users().contains(user)
        || some.users().contains(EVERYBODY)
        || some.groups().stream().anyMatch(groups::contains);
  }
}
