// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.status;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.placement.AuditProgress;
import io.hdfsraid.raidapi.repairs.RepairProgress;
import io.hdfsraid.raidapi.scrub.ScrubProgress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of the daemon at a glance.
 *
 * @param nameservice the URI of the HDFS
 * @param nameNodes host and port of each NameNode of the nameservice
 * @param files number of files by state
 * @param skipped number of files in state {@link FileState#LEFT} by reason
 * @param space bytes of all raided files
 * @param repairProgress rate and cost of repairs, and what stops them
 * @param lastScan when the namespace was last read completely
 * @param lastIntegrityCheck when the last check began; while the edit log is followed, a check
 *     looks at each settled file once a day
 * @param lastFullCheck the last check of all raided files; empty while the edit log is followed,
 *     because files that users change are then looked at within seconds
 * @param placementAudit progress of the audit of all placements; empty if there was none
 * @param scrubs progress of the scrubs of all stripes, by depth
 * @param reheatCost cost of raided files that are used again
 * @param transfers bytes transferred since the daemon started
 * @param nameNodeCalls calls of the NameNode since the daemon started, as far as {@code
 *     hdfs.nameNodeCallsPerSecond} limits them
 * @param containers jobs of YARN; empty if the daemon does all work by itself
 * @param hdfs DataNodes and space as the NameNode last told them, which it is asked for every
 *     minute; empty if it was not asked yet
 * @param jobs when each job of the daemon runs
 * @param problems problems that an operator should see first; empty if there are none
 */
public record Status(
    String version,
    String clusterId,
    String nameservice,
    List<String> nameNodes,
    Owner owner,
    Instant startedAt,
    Instant now,
    Map<FileState, Long> files,
    Map<String, Long> skipped,
    Space space,
    Repairs repairs,
    RepairProgress repairProgress,
    Optional<Instant> lastScan,
    Optional<Instant> lastIntegrityCheck,
    Optional<FullCheck> lastFullCheck,
    Optional<AuditProgress> placementAudit,
    List<ScrubProgress> scrubs,
    List<AccessSource> sources,
    Optional<ReheatCost> reheatCost,
    List<TransferredBytes> transfers,
    long nameNodeCalls,
    Optional<Containers> containers,
    Optional<Hdfs> hdfs,
    List<JobTimes> jobs,
    List<Problem> problems) {

  /**
   * The DataNodes of the cluster, and their space.
   *
   * @param checked when the NameNode was asked
   * @param live number of nodes in service that send heartbeats
   * @param silent number of nodes without a heartbeat for a minute that are not declared dead
   * @param outOfService number of nodes that are being decommissioned or in maintenance, or were
   * @param usedBytes bytes that HDFS stores, all replicas
   * @param remainingBytes bytes that HDFS may still store on nodes in service
   */
  public record Hdfs(
      Instant checked,
      long live,
      long silent,
      long outOfService,
      long dead,
      long usedBytes,
      long remainingBytes) {}

  /**
   * When a job runs.
   *
   * @param lastStart start of the running or the last run; empty if it has not run since the daemon
   *     started
   * @param nextRun empty while the daemon stops
   */
  public record JobTimes(
      String name, boolean running, Optional<Instant> lastStart, Optional<Instant> nextRun) {
    public JobTimes {
      name = Absent.toEmpty(name);
      lastStart = Absent.toEmpty(lastStart);
      nextRun = Absent.toEmpty(nextRun);
    }
  }

  /**
   * Which process may change the cluster.
   *
   * @param holder host and process that holds the owner file; empty if unknown
   */
  public record Owner(State state, String holder, Optional<Instant> since) {
    /** Whether this daemon may change the cluster. */
    public enum State {
      /** This daemon may. */
      HELD,
      /** Another daemon may. This one waits and only reads. */
      WAITING,
      /** This daemon could until another process took the ownership. */
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
   * A check that looked at all raided files.
   *
   * @param began empty if there was none
   */
  public record FullCheck(Optional<Instant> began) {
    public FullCheck {
      began = Absent.toEmpty(began);
    }
  }

  /**
   * Numbers of stripes in the repair queue.
   *
   * @param atRisk stripes in any of these states that tolerate no further loss
   */
  public record Repairs(
      long waiting, long running, long postponed, long parked, long unrecoverable, long atRisk) {}

  public Status {
    repairProgress = repairProgress == null ? RepairProgress.NONE : repairProgress;
    nameNodes = Absent.toEmpty(nameNodes);
    files = Absent.toEmpty(files);
    skipped = Absent.toEmpty(skipped);
    lastScan = Absent.toEmpty(lastScan);
    lastIntegrityCheck = Absent.toEmpty(lastIntegrityCheck);
    lastFullCheck = Absent.toEmpty(lastFullCheck);
    placementAudit = Absent.toEmpty(placementAudit);
    scrubs = Absent.toEmpty(scrubs);
    sources = Absent.toEmpty(sources);
    reheatCost = Absent.toEmpty(reheatCost);
    transfers = Absent.toEmpty(transfers);
    containers = Absent.toEmpty(containers);
    hdfs = Absent.toEmpty(hdfs);
    jobs = Absent.toEmpty(jobs);
    problems = Absent.toEmpty(problems);
  }
}
