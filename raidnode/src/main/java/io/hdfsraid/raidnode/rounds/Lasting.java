package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import java.util.EnumSet;
import java.util.Set;

/** Reasons to leave a file that neither time nor others change, but only a change of the file. */
final class Lasting {
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
          Reason.LET_GO,
          Reason.WOULD_NOT_SAVE);

  private Lasting() {}

  /** The file is to be raided, or may be to be raided one day though nobody touches it. */
  static boolean mayPass(Verdict verdict) {
    return verdict.changesAt().isPresent() || verdict.whyNot().filter(REASONS::contains).isEmpty();
  }
}
