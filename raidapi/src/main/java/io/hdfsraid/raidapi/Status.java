package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The daemon at a glance.
 *
 * @param files how many files are in which state
 * @param left how many of the {@link FileState#LEFT} ones for which reason
 * @param space of all raided files
 * @param repairProgress how fast they are repaired, what it costs, and what keeps from it
 * @param lastScan when the namespace was last read to its end
 * @param lastIntegrityCheck when the NameNode was last asked for every unit
 * @param placementAudit how far the audit of all placements has come; empty when there was none
 * @param scrubs how far the scrubs of all stripes have come, by depth
 * @param reheatCost what raided files cost that are used after all
 * @param transfers bytes between the daemon and DataNodes since it started
 * @param problems what an operator should see first; empty when all is well
 */
public record Status(
    String version,
    String clusterId,
    String nameservice,
    Owner owner,
    Instant startedAt,
    Instant now,
    Map<FileState, Long> files,
    Map<String, Long> left,
    Space space,
    Repairs repairs,
    RepairProgress repairProgress,
    Optional<Instant> lastScan,
    Optional<Instant> lastIntegrityCheck,
    Optional<AuditView> placementAudit,
    List<ScrubView> scrubs,
    List<SourceView> sources,
    Optional<ReheatCost> reheatCost,
    List<TransferView> transfers,
    List<Problem> problems) {

  /**
   * Who may change the cluster.
   *
   * @param holder host and process that holds the owner file; empty when unknown
   */
  public record Owner(State state, String holder, Optional<Instant> since) {
    /** Whether this daemon is the one. */
    public enum State {
      /** This daemon may. */
      HELD,
      /** Another one does; this one waits and only reads. */
      WAITING,
      /** This one did until it was deposed. */
      LOST,
      @JsonEnumDefaultValue
      UNKNOWN
    }

    public Owner {
      holder = Absent.toEmpty(holder);
      since = Absent.toEmpty(since);
    }
  }

  /**
   * Stripes in the repair queue.
   *
   * @param atRisk those among all of them that can bear no further loss
   */
  public record Repairs(
      long waiting, long running, long postponed, long parked, long unrecoverable, long atRisk) {}

  public Status {
    repairProgress = repairProgress == null ? RepairProgress.NONE : repairProgress;
    files = Absent.toEmpty(files);
    left = Absent.toEmpty(left);
    lastScan = Absent.toEmpty(lastScan);
    lastIntegrityCheck = Absent.toEmpty(lastIntegrityCheck);
    placementAudit = Absent.toEmpty(placementAudit);
    scrubs = Absent.toEmpty(scrubs);
    sources = Absent.toEmpty(sources);
    reheatCost = Absent.toEmpty(reheatCost);
    transfers = Absent.toEmpty(transfers);
    problems = Absent.toEmpty(problems);
  }
}
