package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.PoliciesCheck;
import io.hdfsraid.raidapi.PoliciesCheck.Remark;
import io.hdfsraid.raidapi.PoliciesDraft;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.rest.PoliciesReview;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;

/** Reads policies as those of the daemon are read. */
public final class DraftedPolicies implements PoliciesReview {
  private static final Path NAME = Path.of(SettingsFiles.POLICIES);

  private final Clock clock;
  private final ZoneId zone;

  /**
   * A reader.
   *
   * @param zone of policies that name none
   */
  public DraftedPolicies(Clock clock, ZoneId zone) {
    this.clock = clock;
    this.zone = zone;
  }

  @Override
  public PoliciesCheck check(PoliciesDraft draft) {
    try {
      return fine(SettingsFiles.checkPolicies(NAME, draft.yaml(), clock, zone));
    } catch (SettingsException e) {
      return refused(e);
    }
  }

  /** As the API shows policies that may be put in force. */
  public static PoliciesCheck fine(SettingsFiles.CheckedPolicies read) {
    return new PoliciesCheck(
        true, read.policies().inOrder().size(), List.of(), remarks(read.warnings()));
  }

  /** As the API shows policies that may not. */
  public static PoliciesCheck refused(SettingsException e) {
    return new PoliciesCheck(false, 0, remarks(e.problems()), List.of());
  }

  private static List<Remark> remarks(List<SettingsException.Problem> problems) {
    return problems.stream().map(problem -> new Remark(problem.key(), problem.sentence())).toList();
  }
}
