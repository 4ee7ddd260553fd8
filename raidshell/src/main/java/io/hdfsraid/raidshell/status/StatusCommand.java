// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.status;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.repairs.RepairProgress;
import io.hdfsraid.raidapi.status.Containers;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidapi.status.ReheatCost;
import io.hdfsraid.raidapi.status.Space;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.placement.PlacementCommand;
import io.hdfsraid.raidshell.scrub.ScrubCommand;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

@Command(
    name = "status",
    description = {
      "Shows the problems that the RaidNode sees, what it has done and what it is doing.",
      "Exit code 3: there are problems that no operator has asked for; 4: there are stripes"
          + " that cannot be rebuilt."
    })
public final class StatusCommand extends RestCommand<Status> {
  /** The name of the source of accesses. */
  private static final String AUDIT_LOG = "audit-log";

  /** The jobs whose times are settings. */
  private static final Set<String> SCHEDULED =
      Set.of("scan", "integrity-check", "placement-audit", "clean-up");

  /** What the names of the jobs of policies begin with. */
  private static final String POLICY = "policy ";

  @Override
  protected Status ask(RaidNodeClient client) throws IOException {
    return client.status();
  }

  @Override
  protected void show(Status status, Screen screen) {
    showProblems(status.problems(), screen);
    screen.line(
        "RaidNode %s for %s (%s), up %s"
            .formatted(
                status.version(),
                status.nameservice(),
                status.clusterId(),
                Screen.duration(Duration.between(status.startedAt(), status.now()))));
    Status.Owner owner = status.owner();
    screen.line(
        "Ownership of the cluster: %s%s since %s"
            .formatted(
                owner.state(),
                owner.holder().isEmpty() ? "" : " by " + owner.holder(),
                Screen.time(owner.since())));
    screen.line(
        "Last scan: %s, last integrity check: %s"
            .formatted(Screen.time(status.lastScan()), Screen.time(status.lastIntegrityCheck())));
    showNextRuns(status.jobs(), screen);
    status.hdfs().ifPresent(hdfs -> screen.line(sentence(hdfs)));
    screen.line("Calls of the NameNode since the start: " + status.nameNodeCalls());
    status.lastFullCheck().ifPresent(check -> screen.line(sentence(check, status.now())));
    showCounts("Files: ", status.files(), screen);
    showCounts("Files skipped because of: ", status.skipped(), screen);
    showSpace(status.space(), screen);
    boolean hasAuditLogs =
        status.sources().stream().anyMatch(source -> source.name().equals(AUDIT_LOG));
    status.reheatCost().ifPresent(use -> screen.line(sentence(use, hasAuditLogs)));
    showWork(status, screen);
    screen.blank();
    screen.table(
        List.of("ACCESS SOURCE", "TRACKING SINCE", "LAST HEARD", "PROBLEM"),
        status.sources().stream()
            .map(
                source ->
                    List.of(
                        source.name(),
                        Screen.time(source.trackingSince()),
                        Screen.time(source.lastHeard()),
                        source.problem()))
            .toList());
    showTransfers(status, screen);
    status.containers().ifPresent(containers -> show(containers, screen));
    showCosts(status.repairProgress(), screen);
  }

  /** Shows when the jobs run next that the settings or a policy give a time. */
  private static void showNextRuns(List<Status.JobTimes> jobs, Screen screen) {
    String runs =
        jobs.stream()
            .filter(job -> SCHEDULED.contains(job.name()) || job.name().startsWith(POLICY))
            .map(job -> job.name() + " " + (job.running() ? "now" : Screen.time(job.nextRun())))
            .collect(Collectors.joining(", "));
    if (!runs.isEmpty()) {
      screen.line("Next runs: " + runs);
    }
  }

  private static String sentence(Status.Hdfs hdfs) {
    return "HDFS: %d DataNodes live, %d silent, %d out of service, %d dead; %s used, %s free"
        .formatted(
            hdfs.live(),
            hdfs.silent(),
            hdfs.outOfService(),
            hdfs.dead(),
            Screen.bytes(hdfs.usedBytes()),
            Screen.bytes(hdfs.remainingBytes()));
  }

  @Override
  protected ExitCode exitCode(Status status) {
    if (status.repairs().unrecoverable() > 0) {
      return ExitCode.UNRECOVERABLE;
    }
    return status.problems().stream().allMatch(Problem::requested)
        ? ExitCode.OK
        : ExitCode.FINDINGS;
  }

  private static String sentence(Status.FullCheck check, Instant now) {
    return "The edit log is not followed. "
        + check
            .began()
            .map(
                began ->
                    "The last complete look at all raided files began %s (%s ago)"
                        .formatted(
                            Screen.time(check.began()),
                            Screen.duration(Duration.between(began, now))))
            .orElse("There was no complete look at all raided files yet");
  }

  private static void showTransfers(Status status, Screen screen) {
    if (status.transfers().isEmpty()) {
      return;
    }
    screen.blank();
    screen.table(
        List.of("TRANSFERRED", "HOW", "SAME NODE", "SAME RACK", "OFF RACK", "RACK UNKNOWN"),
        status.transfers().stream()
            .map(
                bytes ->
                    List.of(
                        bytes.purpose(),
                        bytes.direction(),
                        Screen.bytes(bytes.sameNode()),
                        Screen.bytes(bytes.sameRack()),
                        Screen.bytes(bytes.offRack()),
                        Screen.bytes(bytes.rackUnknown())))
            .toList());
  }

  private static void show(Containers containers, Screen screen) {
    screen.blank();
    containers
        .refusal()
        .ifPresent(
            why ->
                screen.line(
                    "The daemon works by itself until %s. %s"
                        .formatted(Screen.time(containers.refusedUntil()), why)));
    if (containers.jobs().isEmpty()) {
      screen.line("No job of YARN works now.");
      return;
    }
    screen.table(
        List.of(
            "JOB OF YARN",
            "TO",
            "STAGE",
            "PROGRESS",
            "STRIPES",
            "DONE",
            "READ FROM NODE",
            "RACK",
            "OTHER RACKS"),
        containers.jobs().stream()
            .map(
                job ->
                    List.of(
                        job.application(),
                        job.work(),
                        job.stage(),
                        String.format(Locale.ROOT, "%.1f %%", job.percent()),
                        Long.toString(job.stripes()),
                        Long.toString(job.done()),
                        Screen.bytes(job.sameNode()),
                        Screen.bytes(job.sameRack()),
                        Screen.bytes(job.offRack())))
            .toList());
    containers.jobs().stream()
        .filter(job -> !job.diagnostics().isBlank())
        .forEach(job -> screen.line(job.application() + ": " + job.diagnostics().strip()));
    containers.jobs().forEach(job -> screen.line("See " + job.trackingUrl()));
  }

  private static void showSpace(Space space, Screen screen) {
    screen.line(
        String.format(
            Locale.ROOT,
            "Raided: %s of data on %s of disk, parity %s included; effective replication %.2f,"
                + " saved %s",
            Screen.bytes(space.logicalBytes()),
            Screen.bytes(space.physicalBytes()),
            Screen.bytes(space.parityBytes()),
            space.effectiveReplication(),
            Screen.bytes(space.savedBytes())));
  }

  private static String sentence(ReheatCost use, boolean opensAreKnown) {
    return "Raided files since %s: %s%d got their replicas back, %s copied for it"
        .formatted(
            Screen.time(use.since()),
            opensAreKnown ? opens(use) + "; " : "",
            use.reheatedFiles(),
            Screen.bytes(use.reheatedBytes()));
  }

  private static String opens(ReheatCost use) {
    return use.located() == 0
        ? "opened %d times according to audit logs".formatted(use.opens())
        : String.format(
            Locale.ROOT,
            "opened %d times according to audit logs (%d sampled, %.1f of them read from another"
                + " node)",
            use.opens(),
            use.located(),
            use.offNode());
  }

  /** Shows the work on raided files: repairs, audit, scrubs. */
  public static void showWork(Status status, Screen screen) {
    screen.line(sentence(status.repairs()));
    showProgress(status.repairProgress(), screen);
    status.placementAudit().ifPresent(audit -> screen.line(PlacementCommand.sentence(audit)));
    status.scrubs().forEach(scrub -> screen.line(ScrubCommand.sentence(scrub)));
  }

  /** Returns the number of stripes in the queue by state. */
  public static String sentence(Status.Repairs repairs) {
    return "Repairs: %d waiting, %d running, %d postponed, %d parked, %d unrecoverable; %d at risk"
        .formatted(
            repairs.waiting(),
            repairs.running(),
            repairs.postponed(),
            repairs.parked(),
            repairs.unrecoverable(),
            repairs.atRisk());
  }

  private static void showProgress(RepairProgress progress, Screen screen) {
    if (progress.stripesPerMinute() > 0) {
      screen.line(
          String.format(
              Locale.ROOT,
              "Repairing %.1f stripes a minute, reading %s/s; what waits now is done about %s",
              progress.stripesPerMinute(),
              Screen.bytes(progress.bytesPerSecond()),
              Screen.time(progress.estimatedEnd())));
    }
  }

  private static void showCosts(RepairProgress progress, Screen screen) {
    if (!progress.costs().isEmpty()) {
      screen.blank();
      screen.table(
          List.of("LOSSES IN STRIPE", "REPAIRED", "READ", "READ FOR ONE"),
          Stream.concat(
                  progress.costs().stream()
                      .map(
                          cost ->
                              costs(
                                  Integer.toString(cost.losses()),
                                  cost.stripes(),
                                  cost.bytesRead(),
                                  cost.mean())),
                  Stream.of(
                      costs(
                          "all",
                          progress.costs().stream().mapToLong(RepairProgress.Cost::stripes).sum(),
                          progress.costs().stream().mapToLong(RepairProgress.Cost::bytesRead).sum(),
                          progress.meanBytesRead())))
              .toList());
    }
  }

  private static List<String> costs(String losses, long stripes, long bytesRead, double mean) {
    return List.of(
        losses, Long.toString(stripes), Screen.bytes(bytesRead), Screen.bytes(Math.round(mean)));
  }

  private static void showCounts(String what, Map<?, Long> counts, Screen screen) {
    if (!counts.isEmpty()) {
      screen.line(what + counts(counts));
    }
  }

  /** Returns numbers with what they count, such as "3 RAIDED, 1 LEFT". */
  public static String counts(Map<?, Long> counts) {
    return counts.entrySet().stream()
        .map(count -> count.getValue() + " " + count.getKey())
        .collect(Collectors.joining(", "));
  }

  /** Shows what is wrong before what an operator has asked for. */
  public static void showProblems(List<Problem> problems, Screen screen) {
    if (problems.isEmpty()) {
      screen.line("No problems.");
    }
    problems.stream()
        .sorted(Comparator.comparing(Problem::requested))
        .forEach(problem -> screen.line(problem.code() + ": " + sentences(problem)));
    screen.blank();
  }

  private static String sentences(Problem problem) {
    String message = problem.message();
    String end = message.endsWith(".") || problem.hint().isEmpty() ? "" : ".";
    return (message + end + " " + problem.hint()).strip();
  }
}
