// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import java.util.EnumSet;
import java.util.Set;

/**
 * The reasons to skip a file that time alone does not end. A change of the file or of the policies,
 * or an operator, can end them.
 */
final class PermanentReasons {
  private static final Set<Reason> REASONS =
      EnumSet.of(
          Reason.NO_POLICY,
          Reason.CONDITIONS_NOT_MET,
          Reason.EXCLUDED,
          Reason.LEFT_BY_POLICY,
          Reason.UNRAIDED_BY_POLICY,
          Reason.ALREADY_RAIDED,
          Reason.STRIPED,
          Reason.EMPTY,
          Reason.UNDER_CONSTRUCTION,
          Reason.TOO_SMALL,
          Reason.REPLICATION_AT_TARGET,
          Reason.UNRAIDED_BY_OPERATOR,
          Reason.WOULD_NOT_SAVE);

  private PermanentReasons() {}

  /** Returns whether the file is to be raided now, or may be later without a change by anyone. */
  static boolean mayPass(Verdict verdict) {
    return verdict.changesAt().isPresent() || verdict.whyNot().filter(REASONS::contains).isEmpty();
  }
}
