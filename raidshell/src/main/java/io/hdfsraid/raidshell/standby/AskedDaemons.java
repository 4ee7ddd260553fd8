// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.standby;

import static io.hdfsraid.raidapi.standby.DaemonReport.Role.ACTIVE;
import static io.hdfsraid.raidapi.standby.DaemonReport.Role.STANDBY;

import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidshell.command.ExitCode;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** The answers of all daemons that were asked, in the order of their addresses. */
record AskedDaemons(List<AskedDaemon> daemons) {
  AskedDaemons {
    daemons = List.copyOf(daemons);
  }

  /** What tells daemons apart: in containers all of a machine may have the same process number. */
  private record Identity(String process, Instant since) {}

  /** Returns how many have a role. A daemon that was asked at two addresses counts once. */
  long in(DaemonReport.Role role) {
    return daemons.stream()
        .filter(asked -> asked.is(role))
        .flatMap(asked -> asked.daemon().stream())
        .map(daemon -> new Identity(daemon.process(), daemon.since()))
        .distinct()
        .count();
  }

  /** Returns how many have not answered. */
  long silent() {
    return daemons.stream().filter(asked -> asked.daemon().isEmpty()).count();
  }

  /** Returns what to do about those that could not be asked. */
  List<String> hints() {
    return daemons.stream()
        .map(AskedDaemon::hint)
        .filter(hint -> !hint.isEmpty())
        .distinct()
        .toList();
  }

  /** Returns what those that stand by say of an active daemon that was not asked. */
  List<String> unaskedActive() {
    List<String> active =
        daemons.stream()
            .filter(asked -> asked.is(ACTIVE))
            .flatMap(asked -> asked.daemon().stream())
            .map(DaemonReport::process)
            .toList();
    return daemons.stream()
        .flatMap(asked -> asked.daemon().stream())
        .flatMap(daemon -> daemon.standby().stream())
        .filter(standby -> standby.active().filter(active::contains).isEmpty())
        .map(
            standby ->
                standby.reason() + standby.address().map(", and answers at "::concat).orElse(""))
        .distinct()
        .toList();
  }

  ExitCode exitCode() {
    if (silent() == daemons.size()) {
      return ExitCode.IO;
    }
    return in(ACTIVE) == 1 && daemons.stream().allMatch(AskedDaemons::isWell)
        ? ExitCode.OK
        : ExitCode.FINDINGS;
  }

  private static boolean isWell(AskedDaemon asked) {
    return Stream.of(ACTIVE, STANDBY).anyMatch(asked::is) && asked.problem().isEmpty();
  }
}
