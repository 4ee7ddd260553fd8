// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.WorkingHours;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports the states that operators have asked for. They are not faults, but they explain why
 * nothing is raided.
 */
public final class ModeProblems {
  private final OperatingMode mode;
  private final WorkingHours hours;

  public ModeProblems(OperatingMode mode, WorkingHours hours) {
    this.mode = mode;
    this.hours = hours;
  }

  List<Problem> all() {
    List<Problem> problems = new ArrayList<>(requested());
    hours.wanted().map(ModeProblems::overridden).ifPresent(problems::add);
    return problems;
  }

  private List<Problem> requested() {
    if (mode.gone().isPresent()) {
      return List.of(
          new Problem(
              "WITHDRAWN",
              "Nothing of HDFS-RAID is left on this cluster since "
                  + mode.gone().get().truncatedTo(ChronoUnit.SECONDS),
              "Check with 'raidshell footprint', then stop this daemon. A restart creates the root"
                  + " again."));
    }
    if (mode.withdrawal().isPresent()) {
      return List.of(
          new Problem(
              "WITHDRAWING",
              "Every file is being unraided",
              "'raidshell footprint' shows what is left; 'raidshell resume' ends it."));
    }
    if (mode.namespaceSetBack().isPresent()) {
      return List.of(
          new Problem(
              "NAMESPACE_SET_BACK",
              "The namespace was set back to an earlier state, as was noticed at %s; all parity is checked, all files are read anew, and policies raid nothing"
                  .formatted(mode.namespaceSetBack().get().truncatedTo(ChronoUnit.SECONDS)),
              "'hdfs fsck /' lists the blocks that HDFS has lost with it. End the pause when HDFS is"
                  + " well again: 'raidshell resume'."));
    }
    if (mode.rootRemade().isPresent()) {
      return List.of(
          new Problem(
              "ROOT_REMADE",
              "The root of the parity was deleted and made again at %s; the parity in it is lost, and policies raid nothing"
                  .formatted(mode.rootRemade().get().truncatedTo(ChronoUnit.SECONDS)),
              "Files that were raided get their replicas back. Find out who deleted it, protect it"
                  + " with fs.protected.directories, then end the pause: 'raidshell resume'."));
    }
    return mode.paused()
        .map(
            since ->
                List.of(
                    new Problem(
                        "PAUSED",
                        "Policies raid nothing since " + since,
                        "'raidshell resume' ends the pause.")))
        .orElse(List.of());
  }

  private static Problem overridden(ManualOverride wanted) {
    return new Problem(
        "WINDOWS_OVERRIDDEN",
        "%s until %s, whatever windows say"
            .formatted(
                wanted.state() == ManualOverride.State.OPEN
                    ? "Policies act at full speed"
                    : "Policies raid nothing",
                wanted.until()),
        "'raidshell windows follow --yes' ends it.");
  }
}
