// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.security.Principal;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Somebody, or some program, that calls the daemon.
 *
 * @param user name of the user
 * @param role what the user may do; empty for nothing
 * @param known what shows that this is the user
 */
public record Person(String user, Optional<Role> role, KnownBy known) implements Principal {
  /** Follows the name of a person that nothing proves, where the history lists it. */
  public static final String UNPROVEN = " (unproven)";

  private static final Pattern USER = Pattern.compile("[\\p{Alnum}][\\p{Alnum}._@/-]{0,63}");

  /**
   * @throws IllegalArgumentException if the name could be taken for something else in a table or a
   *     log
   */
  public Person {
    if (!isName(user)) {
      throw new IllegalArgumentException(
          "'%s' is not a name: letters, digits and . _ @ / - are allowed, at most 64"
              .formatted(user));
    }
  }

  /** Returns whether the name can be taken for nothing else. */
  public static boolean isName(String user) {
    return USER.matcher(user).matches();
  }

  /** Returns the name under which the history lists what this person did. */
  public String by() {
    return known == KnownBy.UNPROVEN ? user + UNPROVEN : user;
  }

  /** Returns why the person may not do what needs this role; empty if they may. */
  public Optional<String> lacks(Role needed) {
    if (role.filter(given -> given.includes(needed)).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        "%s has %s, and this needs the role %s"
            .formatted(user, role.map(given -> "the role " + given).orElse("no role"), needed));
  }

  @Override
  public String getName() {
    return user;
  }
}
