// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidnode.repair.StormBreaker.Storm;
import io.hdfsraid.raidnode.upkeep.VanishedParity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reports the stripes that repairs do not make whole without an operator. */
public final class RepairProblems {
  private final Supplier<Optional<Storm>> storm;
  private final CatalogSummary summary;

  /**
   * Creates the problems of repairs.
   *
   * @param storm looks up the storm that pauses repairs now
   */
  public RepairProblems(Supplier<Optional<Storm>> storm, CatalogSummary summary) {
    this.storm = storm;
    this.summary = summary;
  }

  List<Problem> all() {
    List<Problem> problems = new ArrayList<>();
    storm.get().map(RepairProblems::pausing).ifPresent(problems::add);
    summary.vanishedParity().map(RepairProblems::vanished).ifPresent(problems::add);
    Status.Repairs counts = summary.repairs();
    if (counts.unrecoverable() > 0) {
      problems.add(
          new Problem(
              "UNRECOVERABLE_STRIPES",
              "%d stripes have lost more units than can be rebuilt"
                  .formatted(counts.unrecoverable()),
              "'raidshell fsck' lists them; bring back DataNodes that hold their units."));
    }
    if (counts.parked() > 0) {
      problems.add(
          new Problem(
              "PARKED_REPAIRS",
              "%d repairs were set aside after repeated failure".formatted(counts.parked()),
              "'raidshell repairs' says why; 'raidshell repair <path> --yes' tries again."));
    }
    return problems;
  }

  private static Problem vanished(VanishedParity.Loss loss) {
    return new Problem(
        "PARITY_VANISHED",
        "The parity of %d files is gone from HDFS since %s; %d of them have got their replicas back in this run%s"
            .formatted(
                loss.files(),
                loss.since(),
                loss.raised(),
                loss.full() ? ", and the cluster is too full for more" : ""),
        "Find out who deleted it, and bring it back if you can (from the trash):"
            + " files that were raised are reduced again by themselves. If it is lost, make room.");
  }

  private static Problem pausing(Storm storm) {
    return new Problem(
        "REPAIR_STORM",
        "Repairs pause since %s, except those of stripes that tolerate no further loss: %s"
            .formatted(storm.since(), storm.why()),
        "The pause ends when the DataNodes are back. If they will not come back:"
            + " 'raidshell storm --override --yes'.");
  }
}
