package io.hdfsraid.raidnode.request;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.policies.window.ManualOverride.State;
import io.hdfsraid.policies.window.Openness;
import io.hdfsraid.raidapi.HoursRequest;
import io.hdfsraid.raidapi.HoursRequest.Wish;
import io.hdfsraid.raidapi.HoursView;
import io.hdfsraid.raidapi.RaidingOutlook.Hours;
import io.hdfsraid.raidnode.catalog.History;
import io.hdfsraid.raidnode.catalog.Outcome;
import io.hdfsraid.raidnode.rest.HoursDesk;
import io.hdfsraid.raidnode.rounds.PoliciesInForce;
import io.hdfsraid.raidnode.rounds.WorkingHours;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has policies act when an operator says so, for some hours, also over a restart. */
public final class HoursRequests implements HoursDesk {
  private static final Logger LOG = LoggerFactory.getLogger(HoursRequests.class);
  private static final String EVENT = "hours";
  private static final String EVERYTHING = "/";

  private final WorkingHours hours;
  private final PoliciesInForce policies;
  private final History history;
  private final Clock clock;

  public HoursRequests(WorkingHours hours, PoliciesInForce policies, History history, Clock clock) {
    this.hours = hours;
    this.policies = policies;
    this.history = history;
    this.clock = clock;
  }

  @Override
  public HoursView hours() {
    return view(hours.wanted(), false);
  }

  @Override
  public HoursView override(HoursRequest request) {
    Optional<ManualOverride> wanted = wanted(request);
    if (request.dryRun()) {
      return view(wanted, false);
    }
    String what =
        wanted
            .map(wish -> "%s until %s, whatever windows say".formatted(wish.state(), wish.until()))
            .orElse("As windows say");
    // Written down first: a change that nobody can see later must not be.
    history.add(
        new Outcome(
            clock.instant(),
            EVENT,
            Optional.empty(),
            EVERYTHING,
            true,
            OperatorRequests.OPERATOR,
            what,
            0,
            0));
    wanted.ifPresentOrElse(hours::override, hours::follow);
    LOG.atInfo().addKeyValue("hours", what).log("An operator said when policies may act");
    return view(wanted, true);
  }

  private Optional<ManualOverride> wanted(HoursRequest request) {
    return request.wish() == Wish.FOLLOW
        ? Optional.empty()
        : Optional.of(
            new ManualOverride(
                request.wish() == Wish.OPEN ? State.OPEN : State.CLOSED,
                clock.instant().plus(request.time()).truncatedTo(ChronoUnit.SECONDS)));
  }

  private HoursView view(Optional<ManualOverride> wanted, boolean changed) {
    Policies inForce = policies.policies();
    return new HoursView(
        wanted.map(
            wish ->
                new HoursView.Wanted(
                    wish.state() == State.OPEN ? Wish.OPEN : Wish.CLOSED, wish.until())),
        inForce.inOrder().stream()
            .filter(Policy::raids)
            .map(policy -> view(policy, inForce, wanted))
            .toList(),
        changed);
  }

  private HoursView.PolicyHours view(
      Policy policy, Policies inForce, Optional<ManualOverride> wanted) {
    Openness now = inForce.windowsOf(policy).at(clock.instant(), wanted);
    return new HoursView.PolicyHours(
        policy.name(), new Hours(now.open(), now.intensity(), now.until(), now.why()));
  }
}
