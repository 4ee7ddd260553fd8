// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.hdfsraid.raidnode.access.GrantedRoles;
import io.hdfsraid.raidnode.access.GrantedRoles.Members;
import io.hdfsraid.raidnode.access.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which roles users with a Kerberos ticket have; nobody has one by default. */
public record RolesSettings(
    MembersSettings metrics,
    MembersSettings viewer,
    MembersSettings operator,
    MembersSettings admin) {
  static final RolesSettings NONE = new RolesSettings(null, null, null, null);

  public RolesSettings {
    metrics = requireNonNullElse(metrics, MembersSettings.NONE);
    viewer = requireNonNullElse(viewer, MembersSettings.NONE);
    operator = requireNonNullElse(operator, MembersSettings.NONE);
    admin = requireNonNullElse(admin, MembersSettings.NONE);
  }

  /**
   * Who has a role.
   *
   * @param users names of users, or {@code "*"} for everybody with a ticket
   * @param groups names of groups, as Hadoop's group mapping has them
   */
  public record MembersSettings(List<String> users, List<String> groups) {
    static final MembersSettings NONE = new MembersSettings(null, null);

    public MembersSettings {
      users = users == null ? List.of() : List.copyOf(users);
      groups = groups == null ? List.of() : List.copyOf(groups);
      if (groups.contains(GrantedRoles.EVERYBODY)) {
        throw new IllegalArgumentException(
            "'%s' is no group: users: [\"%s\"] means everybody with a ticket"
                .formatted(GrantedRoles.EVERYBODY, GrantedRoles.EVERYBODY));
      }
    }

    Members members() {
      return new Members(Set.copyOf(users), Set.copyOf(groups));
    }
  }

  public GrantedRoles granted() {
    return new GrantedRoles(
        Map.of(
            Role.METRICS, metrics.members(),
            Role.VIEWER, viewer.members(),
            Role.OPERATOR, operator.members(),
            Role.ADMIN, admin.members()));
  }
}
