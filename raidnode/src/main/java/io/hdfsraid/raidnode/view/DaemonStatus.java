package io.hdfsraid.raidnode.view;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.raidapi.Problem;
import io.hdfsraid.raidapi.SourceView;
import io.hdfsraid.raidapi.Status;
import io.hdfsraid.raidapi.TransferView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.config.PoliciesWatch;
import io.hdfsraid.raidnode.rest.StatusView;
import io.hdfsraid.raidnode.rounds.IntegrityRound;
import io.hdfsraid.raidnode.rounds.Intent;
import io.hdfsraid.raidnode.rounds.WorkingHours;
import io.hdfsraid.raidnode.schedule.JobReport;
import io.hdfsraid.raidnode.traffic.Direction;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.TransferTotals;
import io.hdfsraid.raidnode.traffic.TransferTotals.Total;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The daemon at a glance. */
public final class DaemonStatus implements StatusView {
  private final Identity identity;
  private final Catalog catalog;
  private final CatalogSummary summary;
  private final RepairWork repairs;
  private final Supplier<List<JobReport>> jobs;
  private final Intent intent;
  private final WorkingHours hours;
  private final ScrubViews scrubs;
  private final TransferTotals transfers;
  private final Supplier<List<SourceView>> sources;
  private final Supplier<PoliciesWatch.State> policiesFile;
  private final Clock clock;

  /**
   * What does not change while the daemon runs.
   *
   * @param nameservice the URI of the HDFS
   * @param process that holds the owner file: this one
   */
  public record Identity(
      String version, String clusterId, String nameservice, String process, Instant startedAt) {}

  public DaemonStatus(
      Identity identity,
      Catalog catalog,
      CatalogSummary summary,
      RepairWork repairs,
      Supplier<List<JobReport>> jobs,
      Intent intent,
      WorkingHours hours,
      ScrubViews scrubs,
      TransferTotals transfers,
      Supplier<List<SourceView>> sources,
      Supplier<PoliciesWatch.State> policiesFile,
      Clock clock) {
    this.identity = identity;
    this.catalog = catalog;
    this.summary = summary;
    this.repairs = repairs;
    this.jobs = jobs;
    this.intent = intent;
    this.hours = hours;
    this.scrubs = scrubs;
    this.transfers = transfers;
    this.sources = sources;
    this.policiesFile = policiesFile;
    this.clock = clock;
  }

  @Override
  public Status status() {
    return new Status(
        identity.version(),
        identity.clusterId(),
        identity.nameservice(),
        new Status.Owner(
            Status.Owner.State.HELD, identity.process(), Optional.of(identity.startedAt())),
        identity.startedAt(),
        clock.instant(),
        summary.files(),
        summary.left(),
        summary.space(),
        summary.repairs(),
        repairs.progress(),
        catalog.notes().instant(Notes.LAST_SCAN),
        catalog.notes().instant(IntegrityRound.LAST_CHECK),
        PlacementAudits.last(catalog, clock.instant()),
        scrubs.all(clock.instant()),
        sources.get(),
        Optional.of(catalog.reheatCosts().now()),
        transfers(),
        problems());
  }

  /** Nothing is wrong then, but nobody shall wonder why nothing is raided. */
  private List<Problem> intended() {
    if (intent.gone().isPresent()) {
      return List.of(
          new Problem(
              "WITHDRAWN",
              "Nothing of HDFS-RAID is left on this cluster since " + intent.gone().get(),
              "'raidshell traces' asks HDFS; stop this daemon. A restart makes the root again."));
    }
    if (intent.withdrawal().isPresent()) {
      return List.of(
          new Problem(
              "WITHDRAWING",
              "Every file is being let go",
              "'raidshell traces' shows what is left; 'raidshell resume' ends it."));
    }
    return intent
        .paused()
        .map(
            since ->
                List.of(
                    new Problem(
                        "PAUSED",
                        "Policies raid nothing since " + since,
                        "'raidshell resume' lets them go on.")))
        .orElse(List.of());
  }

  private static Problem overridden(ManualOverride wanted) {
    return new Problem(
        "HOURS_OVERRIDDEN",
        "%s until %s, whatever windows say"
            .formatted(
                wanted.state() == ManualOverride.State.OPEN
                    ? "Policies act at full speed"
                    : "Policies raid nothing",
                wanted.until()),
        "'raidshell hours follow --yes' ends it.");
  }

  /** One line for each purpose and direction. */
  private List<TransferView> transfers() {
    List<TransferView> views = new ArrayList<>();
    List<Total> totals = transfers.totals();
    for (Purpose purpose : Purpose.values()) {
      for (Direction direction : Direction.values()) {
        Map<Distance, Long> bytes =
            totals.stream()
                .filter(total -> total.purpose() == purpose && total.direction() == direction)
                .collect(Collectors.toMap(Total::distance, Total::bytes));
        if (!bytes.isEmpty()) {
          views.add(
              new TransferView(
                  purpose.name().toLowerCase(Locale.ROOT),
                  direction.name().toLowerCase(Locale.ROOT),
                  bytes.getOrDefault(Distance.SAME_NODE, 0L),
                  bytes.getOrDefault(Distance.SAME_RACK, 0L),
                  bytes.getOrDefault(Distance.OFF_RACK, 0L),
                  bytes.getOrDefault(Distance.RACK_UNKNOWN, 0L)));
        }
      }
    }
    return views;
  }

  private List<Problem> problems() {
    List<Problem> problems = new ArrayList<>(intended());
    hours.wanted().map(DaemonStatus::overridden).ifPresent(problems::add);
    repairs
        .progress()
        .storm()
        .ifPresent(
            storm ->
                problems.add(
                    new Problem(
                        "REPAIR_STORM",
                        "Repairs pause since %s, but for stripes that bear no further loss: %s"
                            .formatted(storm.since(), storm.why()),
                        "It ends when the DataNodes are back. If they will not come:"
                            + " 'raidshell storm --override --yes'.")));
    Status.Repairs counts = summary.repairs();
    if (counts.unrecoverable() > 0) {
      problems.add(
          new Problem(
              "UNRECOVERABLE_STRIPES",
              "%d stripes have lost more units than can be rebuilt"
                  .formatted(counts.unrecoverable()),
              "'raidshell fsck' names them; bring DataNodes that hold their units back."));
    }
    if (counts.parked() > 0) {
      problems.add(
          new Problem(
              "PARKED_REPAIRS",
              "%d repairs were set aside after repeated failure".formatted(counts.parked()),
              "'raidshell repairs' says why; 'raidshell repair <path> --yes' tries again."));
    }
    problems.addAll(scrubs.problems(clock.instant()));
    policiesFile
        .get()
        .refusal()
        .ifPresent(
            refusal ->
                problems.add(
                    new Problem(
                        "POLICIES_REFUSED",
                        "policies.yml is not in force since %s: %s"
                            .formatted(refusal.since(), refusal.problems()),
                        "Those read before stay in force. 'raidshell policies validate' names all"
                            + " that is wrong.")));
    for (JobReport job : jobs.get()) {
      job.lastError()
          .ifPresent(
              error ->
                  problems.add(
                      new Problem(
                          "JOB_FAILED",
                          "Job %s failed: %s".formatted(job.name(), error),
                          "It runs again when its time comes; the log has more.")));
    }
    sources.get().stream()
        .filter(source -> !source.problem().isEmpty())
        .map(SourceAdvice::problem)
        .forEach(problems::add);
    return problems;
  }
}
