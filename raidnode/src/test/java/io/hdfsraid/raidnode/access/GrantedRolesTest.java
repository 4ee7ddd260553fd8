// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.access.GrantedRoles.Members;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GrantedRolesTest {
  private static Set<String> notAsked() {
    throw new AssertionError("No group has a role");
  }

  private static Members users(String... names) {
    return new Members(Set.of(names), Set.of());
  }

  private static Members groups(String... names) {
    return new Members(Set.of(), Set.of(names));
  }

  @Test
  void theHighestRoleOfAUserAndItsGroupsCounts() {
    GrantedRoles roles =
        new GrantedRoles(
            Map.of(
                Role.METRICS, users("alice"),
                Role.VIEWER, groups("staff"),
                Role.OPERATOR, new Members(Set.of("bob"), Set.of("oncall")),
                Role.ADMIN, groups("ops", "root")));
    assertThat(roles.of("alice", () -> Set.of("users"))).contains(Role.METRICS);
    assertThat(roles.of("alice", () -> Set.of("users", "staff"))).contains(Role.VIEWER);
    assertThat(roles.of("bob", () -> Set.of("staff"))).contains(Role.OPERATOR);
    assertThat(roles.of("bob", () -> Set.of("staff", "root", "oncall"))).contains(Role.ADMIN);
    assertThat(roles.of("carol", Set::of)).isEmpty();
    assertThat(roles.of("staff", Set::of)).as("a user named like a group").isEmpty();
    assertThat(roles.of("carol", () -> Set.of("bob"))).as("a group named like a user").isEmpty();
  }

  @Test
  void everybodyMayHaveARoleAndSomeAHigherOne() {
    GrantedRoles roles =
        new GrantedRoles(Map.of(Role.VIEWER, users("*"), Role.ADMIN, users("bob")));
    assertThat(roles.of("anybody", GrantedRolesTest::notAsked)).contains(Role.VIEWER);
    assertThat(roles.of("bob", GrantedRolesTest::notAsked)).contains(Role.ADMIN);
  }

  @Test
  void nobodyHasARoleByDefault() {
    assertThat(new GrantedRoles(Map.of()).of("root", GrantedRolesTest::notAsked)).isEmpty();
    assertThat(new GrantedRoles(Map.of()).isEmpty()).isTrue();
    assertThat(new GrantedRoles(Map.of(Role.ADMIN, users())).isEmpty()).isTrue();
    assertThat(new GrantedRoles(Map.of(Role.ADMIN, users("bob"))).isEmpty()).isFalse();
  }
}
