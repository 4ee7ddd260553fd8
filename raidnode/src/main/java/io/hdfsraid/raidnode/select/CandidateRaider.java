// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidnode.raiding.group.GroupPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Raids the candidates of a run that their policies still want raided when their turn comes. */
public final class CandidateRaider {
  private final PreRaidCheck check;
  private final JournaledRaider raider;

  public CandidateRaider(PreRaidCheck check, JournaledRaider raider) {
    this.check = check;
    this.raider = raider;
  }

  void raid(RaidPlan.Candidate candidate) throws IOException {
    String by = candidate.policy().name();
    Optional<PreRaidCheck.Wanted> wanted =
        check
            .at(candidate.file().inodeId(), by)
            .filter(now -> now.verdict() instanceof Verdict.Raid);
    if (wanted.isPresent()) {
      raider.know(wanted.get().file(), by);
      raider.raid(wanted.get().file().inodeId(), wanted.get().policy().protection(), by);
    }
  }

  void raid(RaidPlan.Together together) throws IOException {
    String by = together.policy().name();
    Protection protection = together.policy().protection();
    List<FileFacts> still = new ArrayList<>();
    for (FileFacts planned : together.files()) {
      check
          .at(planned.inodeId(), by)
          // With another protection the files may make other groups, or none.
          .filter(now -> now.policy().protection().equals(protection))
          .ifPresent(now -> still.add(now.file()));
    }
    if (!still.isEmpty()) {
      still.forEach(file -> raider.know(file, by));
      raider.raidTogether(GroupPlan.inodes(still), protection, by);
    }
  }
}
