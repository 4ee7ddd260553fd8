// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.windows;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.policies.window.ManualOverride.State;
import io.hdfsraid.policies.window.WindowState;
import io.hdfsraid.raidapi.windows.WindowStatus;
import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidapi.windows.WindowsRequest;
import io.hdfsraid.raidapi.windows.WindowsRequest.Mode;
import io.hdfsraid.raidnode.catalog.History;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports when policies may act, and lets an operator override their windows for some time. An
 * override survives a restart.
 */
public class WindowsService {
  private static final Logger LOG = LoggerFactory.getLogger(WindowsService.class);
  private static final String EVENT = "windows";
  private static final String EVERYTHING = "/";

  private final WorkingHours hours;
  private final PoliciesInForce policies;
  private final History history;
  private final Clock clock;

  public WindowsService(
      WorkingHours hours, PoliciesInForce policies, History history, Clock clock) {
    this.hours = hours;
    this.policies = policies;
    this.history = history;
    this.clock = clock;
  }

  public WindowsReport windows() {
    return view(hours.wanted(), false);
  }

  public WindowsReport override(WindowsRequest request, String by) {
    Optional<ManualOverride> wanted = wanted(request);
    if (request.dryRun()) {
      return view(wanted, false);
    }
    String what = words(wanted);
    // Recorded first: there must be no change without a record.
    history.add(
        new HistoryRecord(
                clock.instant(), EVENT, Optional.empty(), EVERYTHING, true, by, what, 0, 0)
            .changing(words(hours.wanted()), what));
    wanted.ifPresentOrElse(hours::override, hours::follow);
    LOG.atInfo().addKeyValue("windows", what).log("An operator has changed when policies may act");
    return view(wanted, true);
  }

  private static String words(Optional<ManualOverride> wanted) {
    return wanted
        .map(mode -> "%s until %s, whatever windows say".formatted(mode.state(), mode.until()))
        .orElse("As windows say");
  }

  private Optional<ManualOverride> wanted(WindowsRequest request) {
    return request.mode() == Mode.FOLLOW
        ? Optional.empty()
        : Optional.of(
            new ManualOverride(
                request.mode() == Mode.OPEN ? State.OPEN : State.CLOSED,
                clock.instant().plus(request.duration()).truncatedTo(ChronoUnit.SECONDS)));
  }

  private WindowsReport view(Optional<ManualOverride> wanted, boolean changed) {
    Policies inForce = policies.policies();
    return new WindowsReport(
        wanted.map(
            mode ->
                new WindowsReport.WindowOverride(
                    mode.state() == State.OPEN ? Mode.OPEN : Mode.CLOSED, mode.until())),
        inForce.inOrder().stream()
            .filter(Policy::raids)
            .map(policy -> view(policy, inForce, wanted))
            .toList(),
        changed);
  }

  private WindowsReport.PolicyWindow view(
      Policy policy, Policies inForce, Optional<ManualOverride> wanted) {
    WindowState now = inForce.windowsOf(policy).at(clock.instant(), wanted);
    return new WindowsReport.PolicyWindow(
        policy.name(), new WindowStatus(now.open(), now.intensity(), now.until(), now.why()));
  }
}
