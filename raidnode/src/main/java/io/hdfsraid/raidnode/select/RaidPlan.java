// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import java.util.List;

/**
 * The files that a run raids; each part is ordered from coldest to warmest.
 *
 * @param lonely files for which there is no group that is worth its parity
 * @param unclear directories to be listed first, because the index knows only the paths of some
 *     files in them
 */
record RaidPlan(
    List<Candidate> alone, List<Together> groups, List<Lonely> lonely, List<String> unclear) {
  static final RaidPlan NOTHING = new RaidPlan(List.of(), List.of(), List.of(), List.of());

  RaidPlan {
    alone = List.copyOf(alone);
    groups = List.copyOf(groups);
    lonely = List.copyOf(lonely);
    unclear = List.copyOf(unclear);
  }

  /** A file that is to be raided, and how. */
  record Candidate(FileFacts file, Policy policy) {}

  /** Files that are to be raided together, and how. */
  record Together(List<FileFacts> files, Policy policy) {
    Together {
      files = List.copyOf(files);
    }
  }

  /** A file that is left, and why. */
  record Lonely(FileFacts file, Policy policy, String why) {}
}
