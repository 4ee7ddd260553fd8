package io.hdfsraid.raidnode.request;

import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.parity.Traces;
import io.hdfsraid.raidapi.PauseRequest;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.PlanView.Action;
import io.hdfsraid.raidapi.PlanView.Outcome;
import io.hdfsraid.raidapi.TracesReport;
import io.hdfsraid.raidapi.WithdrawRequest;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.WithdrawalDesk;
import io.hdfsraid.raidnode.rounds.Intent;
import io.hdfsraid.raidnode.rounds.Intent.Withdrawal;
import io.hdfsraid.raidnode.rounds.WithdrawalRound;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Stopping and undoing, for operators: writes their wish down, which the jobs then carry out. */
public final class WithdrawalRequests implements WithdrawalDesk {
  private static final String EVERYTHING = "/";

  private final WithdrawalRound round;
  private final ParityStore parity;
  private final Namespace namespace;
  private final Catalog catalog;
  private final String root;
  private final Clock clock;

  public WithdrawalRequests(
      WithdrawalRound round,
      ParityStore parity,
      Namespace namespace,
      Catalog catalog,
      String root,
      Clock clock) {
    this.round = round;
    this.parity = parity;
    this.namespace = namespace;
    this.catalog = catalog;
    this.root = root;
    this.clock = clock;
  }

  @Override
  public PlanView withdraw(WithdrawRequest request) throws IOException {
    requirePresence();
    long copied = 0;
    long freed = 0;
    for (Total total : catalog.files().totals()) {
      if (WithdrawalRound.isUnderParity(total.status())) {
        copied += Math.max(0, total.replicasBefore() - total.physicalBytes());
        freed += total.parityBytes();
      }
    }
    requireRoom(copied);
    Withdrawal how =
        request.removeRoot()
            ? Withdrawal.REMOVE_ROOT
            : request.purge() ? Withdrawal.PURGE : Withdrawal.LET_GO;
    if (!request.dryRun()) {
      round.intent().withdraw(how);
      note("withdrawing", "Every file is let go; " + then(how));
    }
    return plan(
        Action.WITHDRAW,
        request.dryRun() ? Outcome.PLANNED : Outcome.ACCEPTED,
        round.filesUnderParity(),
        copied,
        freed - copied,
        "Policies raid nothing more. Every file under parity gets its replicas back; %s. 'raidshell traces' shows what is left on HDFS."
            .formatted(then(how)));
  }

  private static String then(Withdrawal how) {
    return switch (how) {
      case LET_GO -> "its parity stays in quarantine for its time";
      case PURGE -> "its parity is deleted as soon as no block needs it";
      case REMOVE_ROOT ->
          "its parity is deleted as soon as no block needs it, then the root, the owner file last";
    };
  }

  /** Half a withdrawal would fill the cluster, and fail there. */
  private void requireRoom(long bytes) throws IOException {
    long remaining =
        namespace.nodes().stream()
            .filter(NodeState::inService)
            .mapToLong(NodeState::remaining)
            .sum();
    if (bytes > remaining) {
      throw ApiFailure.refused(
          "The replicas take %d bytes, but the DataNodes in service have %d left"
              .formatted(bytes, remaining),
          "Make room, or let directories go one by one: 'raidshell unraid <path>'.");
    }
  }

  private void requirePresence() {
    round
        .intent()
        .gone()
        .ifPresent(
            since -> {
              throw ApiFailure.refused(
                  "Nothing of HDFS-RAID is left on this cluster since " + since,
                  "Restart the RaidNode to take the cluster up again.");
            });
  }

  @Override
  public PlanView pause(PauseRequest request) {
    Intent intent = round.intent();
    Action action = request.paused() ? Action.PAUSE : Action.RESUME;
    if (!request.paused()) {
      requirePresence();
    }
    boolean isSo =
        request.paused()
            ? intent.paused().isPresent()
            : intent.paused().isEmpty() && intent.withdrawal().isEmpty();
    Outcome outcome =
        isSo ? Outcome.NOTHING_TO_DO : request.dryRun() ? Outcome.PLANNED : Outcome.DONE;
    if (outcome == Outcome.DONE) {
      if (request.paused()) {
        intent.pause();
        note("paused", "Policies raid nothing more");
      } else {
        intent.resume();
        note("resumed", "Policies go on");
      }
    }
    return plan(
        action,
        outcome,
        0,
        0,
        0,
        request.paused()
            ? "Policies raid nothing until 'raidshell resume'; repairs go on, and what is half done is finished."
            : "Policies raid again when their time comes; a withdrawal under way ends where it is.");
  }

  private static PlanView plan(
      Action action, Outcome outcome, long files, long copied, long freed, String note) {
    return new PlanView(
        action, EVERYTHING, outcome, files, 0, copied, copied, freed, List.of(), 0, note);
  }

  private void note(String event, String detail) {
    catalog
        .history()
        .add(
            new io.hdfsraid.raidnode.catalog.Outcome(
                clock.instant(),
                event,
                Optional.empty(),
                EVERYTHING,
                true,
                OperatorRequests.OPERATOR,
                detail,
                0,
                0));
  }

  @Override
  public TracesReport traces() throws IOException {
    Traces traces = parity.traces();
    return new TracesReport(
        clock.instant(),
        root,
        traces.root(),
        traces.committed(),
        traces.quarantined(),
        traces.drafts(),
        traces.foreign(),
        traces.foreignEntries(),
        round.filesUnderParity(),
        policies(),
        round.waiting());
  }

  private String policies() {
    Intent intent = round.intent();
    if (intent.gone().isPresent()) {
      return "withdrawn since " + intent.gone().get();
    }
    if (intent.withdrawal().isPresent()) {
      return "paused, withdrawing";
    }
    return intent.paused().map(since -> "paused since " + since).orElse("in force");
  }
}
