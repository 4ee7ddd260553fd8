// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.util.Objects;

/** The action of a policy for the files that it applies to. */
public sealed interface Action {
  /** As in the file. */
  String word();

  /** They are raided, when they are ready. */
  record ToRaid(Protection protection) implements Action {
    public ToRaid {
      Objects.requireNonNull(protection, "protection");
    }

    @Override
    public String word() {
      return "raid";
    }
  }

  /** They are left, whatever a later policy would say. */
  record ToLeave() implements Action {
    @Override
    public String word() {
      return "leave";
    }
  }

  /** Those that are raided get their replicas back and lose their parity; the others are left. */
  record ToUnraid() implements Action {
    @Override
    public String word() {
      return "unraid";
    }
  }
}
