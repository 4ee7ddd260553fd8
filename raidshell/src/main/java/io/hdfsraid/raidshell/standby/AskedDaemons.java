// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.standby;

import static io.hdfsraid.raidapi.standby.DaemonReport.Role.ACTIVE;
import static io.hdfsraid.raidapi.standby.DaemonReport.Role.STANDBY;

import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidshell.command.ExitCode;
import java.util.List;

/** The answers of all daemons that were asked, in the order of their addresses. */
record AskedDaemons(List<AskedDaemon> daemons) {
  AskedDaemons {
    daemons = List.copyOf(daemons);
  }

  /** Returns how many are active. A daemon that was asked at two addresses counts once. */
  long active() {
    return daemons.stream()
        .filter(asked -> asked.is(ACTIVE))
        .flatMap(asked -> asked.daemon().stream())
        .map(DaemonReport::process)
        .distinct()
        .count();
  }

  long standingBy() {
    return daemons.stream().filter(asked -> asked.is(STANDBY)).count();
  }

  /** Returns how many have not answered. */
  long silent() {
    return daemons.stream().filter(asked -> asked.daemon().isEmpty()).count();
  }

  ExitCode exitCode() {
    if (silent() == daemons.size()) {
      return ExitCode.IO;
    }
    return active() == 1 && daemons.stream().allMatch(AskedDaemons::isWell)
        ? ExitCode.OK
        : ExitCode.FINDINGS;
  }

  private static boolean isWell(AskedDaemon asked) {
    return (asked.is(ACTIVE) || asked.is(STANDBY)) && asked.problem().isEmpty();
  }
}
