package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidapi.status.TransferredBytes;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.config.PoliciesWatch;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.repair.IntegrityJob;
import io.hdfsraid.raidnode.rest.placement.PlacementAudits;
import io.hdfsraid.raidnode.rest.repairs.RepairWork;
import io.hdfsraid.raidnode.rest.scrub.ScrubSummary;
import io.hdfsraid.raidnode.schedule.JobReport;
import io.hdfsraid.raidnode.traffic.Direction;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.TransferTotals;
import io.hdfsraid.raidnode.traffic.TransferTotals.Total;
import io.hdfsraid.recency.source.SourceState;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Reports the state of the daemon at a glance. */
public class StatusService {
  private final Identity identity;
  private final Catalog catalog;
  private final CatalogSummary summary;
  private final RepairWork repairs;
  private final Supplier<List<JobReport>> jobs;
  private final OperatingMode mode;
  private final WorkingHours hours;
  private final ScrubSummary scrubs;
  private final TransferTotals transfers;
  private final Supplier<List<SourceState>> sources;
  private final Supplier<PoliciesWatch.State> policiesFile;
  private final Clock clock;

  /**
   * The facts that do not change while the daemon runs.
   *
   * @param nameservice the URI of the HDFS
   * @param process the process that holds the owner file, which is this one
   */
  public record Identity(
      String version, String clusterId, String nameservice, String process, Instant startedAt) {}

  public StatusService(
      Identity identity,
      Catalog catalog,
      CatalogSummary summary,
      RepairWork repairs,
      Supplier<List<JobReport>> jobs,
      OperatingMode mode,
      WorkingHours hours,
      ScrubSummary scrubs,
      TransferTotals transfers,
      Supplier<List<SourceState>> sources,
      Supplier<PoliciesWatch.State> policiesFile,
      Clock clock) {
    this.identity = identity;
    this.catalog = catalog;
    this.summary = summary;
    this.repairs = repairs;
    this.jobs = jobs;
    this.mode = mode;
    this.hours = hours;
    this.scrubs = scrubs;
    this.transfers = transfers;
    this.sources = sources;
    this.policiesFile = policiesFile;
    this.clock = clock;
  }

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
        summary.skipped(),
        summary.space(),
        summary.repairs(),
        repairs.progress(),
        catalog.notes().instant(Notes.LAST_SCAN),
        catalog.notes().instant(IntegrityJob.LAST_CHECK),
        PlacementAudits.last(catalog, clock.instant()),
        scrubs.all(clock.instant()),
        AccessSources.of(sources.get()),
        Optional.of(catalog.reheatCosts().now()),
        transfers(),
        problems());
  }

  /**
   * Returns the states that operators have asked for. They are not faults, but they explain why
   * nothing is raided.
   */
  private List<Problem> requested() {
    if (mode.gone().isPresent()) {
      return List.of(
          new Problem(
              "WITHDRAWN",
              "Nothing of HDFS-RAID is left on this cluster since " + mode.gone().get(),
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

  /** Returns one record for each purpose and direction. */
  private List<TransferredBytes> transfers() {
    List<TransferredBytes> views = new ArrayList<>();
    List<Total> totals = transfers.totals();
    for (Purpose purpose : Purpose.values()) {
      for (Direction direction : Direction.values()) {
        Map<Distance, Long> bytes =
            totals.stream()
                .filter(total -> total.purpose() == purpose && total.direction() == direction)
                .collect(Collectors.toMap(Total::distance, Total::bytes));
        if (!bytes.isEmpty()) {
          views.add(
              new TransferredBytes(
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
    List<Problem> problems = new ArrayList<>(requested());
    hours.wanted().map(StatusService::overridden).ifPresent(problems::add);
    repairs
        .progress()
        .storm()
        .ifPresent(
            storm ->
                problems.add(
                    new Problem(
                        "REPAIR_STORM",
                        "Repairs pause since %s, except those of stripes that tolerate no further loss: %s"
                            .formatted(storm.since(), storm.why()),
                        "The pause ends when the DataNodes are back. If they will not come back:"
                            + " 'raidshell storm --override --yes'.")));
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
                        "The policies read before stay in force. 'raidshell policies validate'"
                            + " lists all that is wrong.")));
    for (JobReport job : jobs.get()) {
      job.lastError()
          .ifPresent(
              error ->
                  problems.add(
                      new Problem(
                          "JOB_FAILED",
                          "Job %s failed: %s".formatted(job.name(), error),
                          "The job runs again at its next time; the log has more.")));
    }
    AccessSources.of(sources.get()).stream()
        .filter(source -> !source.problem().isEmpty())
        .map(SourceAdvice::problem)
        .forEach(problems::add);
    return problems;
  }
}
