// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.standby;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidapi.Absent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A report of one of several daemons about itself. A daemon that stands by answers this itself.
 *
 * @param version version of HDFS-RAID
 * @param process host and process of the daemon, as in the owner of the status
 * @param since since when the daemon has its role
 * @param epoch how many daemons have been the active one so far, this one included; empty if it is
 *     not active
 * @param standby what a daemon that stands by knows; empty if it does not stand by
 * @param problem what keeps the daemon from its work; of one that stands by, what keeps it from
 *     taking over, or from choosing files soon after it has; empty if nothing does
 */
public record DaemonReport(
    Role role,
    String version,
    String process,
    Instant since,
    Optional<Long> epoch,
    Optional<Standby> standby,
    String problem) {

  /** The role of a daemon on the cluster. */
  public enum Role {
    /** The daemon works on the cluster. */
    ACTIVE,
    /** The daemon waits until it may take over. */
    STANDBY,
    /** The daemon cannot begin yet, as its problem says. */
    WAITING,
    @JsonEnumDefaultValue
    UNKNOWN
  }

  /**
   * The knowledge of a daemon that stands by.
   *
   * @param reason why it is not the active one, by its last look at the owner file
   * @param active host and process of the active daemon, as it was seen last; empty if none was
   * @param address where the API of the active daemon is; empty if it is not known, or of use on
   *     another machine only
   * @param takeOverAfter how long heartbeats of the active daemon may be missing before this one
   *     takes over
   * @param index its index of the namespace; empty if it follows no namespace while it stands by
   */
  public record Standby(
      String reason,
      Optional<String> active,
      Optional<String> address,
      @JsonProperty("takeOverAfterSeconds") Duration takeOverAfter,
      Optional<Index> index) {
    public Standby {
      reason = Absent.toEmpty(reason);
      active = Absent.toEmpty(active);
      address = Absent.toEmpty(address);
      takeOverAfter = takeOverAfter == null ? Duration.ZERO : takeOverAfter;
      index = Absent.toEmpty(index);
    }
  }

  /**
   * How well the index of a daemon that stands by follows the namespace.
   *
   * @param imageRead when the last image was read; empty if there was none
   * @param transaction last transaction of the edit log that the index has; empty if it has not
   *     followed the log since the daemon stands by
   * @param lastHeard when the index last knew the whole edit log; empty if it has not caught up
   *     since the daemon stands by
   * @param behind time since {@code lastHeard}; a few seconds are usual
   * @param problem why the index does not follow; empty if it does
   */
  public record Index(
      Optional<Instant> imageRead,
      Optional<Long> transaction,
      Optional<Instant> lastHeard,
      @JsonProperty("behindSeconds") Optional<Duration> behind,
      String problem) {
    public Index {
      imageRead = Absent.toEmpty(imageRead);
      transaction = Absent.toEmpty(transaction);
      lastHeard = Absent.toEmpty(lastHeard);
      behind = Absent.toEmpty(behind);
      problem = Absent.toEmpty(problem);
    }
  }

  /** Returns the report of a daemon that cannot begin yet. */
  public static DaemonReport waiting(String version, String process, Instant since, String why) {
    return new DaemonReport(
        Role.WAITING, version, process, since, Optional.empty(), Optional.empty(), why);
  }

  public DaemonReport {
    version = Absent.toEmpty(version);
    process = Absent.toEmpty(process);
    epoch = Absent.toEmpty(epoch);
    standby = Absent.toEmpty(standby);
    problem = Absent.toEmpty(problem);
  }
}
