// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.mode;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.List;

/**
 * What HDFS-RAID occupies on the cluster, as HDFS shows it for this answer.
 *
 * @param root the directory of the parity
 * @param rootExists whether this directory exists
 * @param committed number of parity files in service
 * @param quarantined number of parity files in quarantine
 * @param drafts number of parity files that are being written, or that a crash left behind
 * @param foreign some of the paths below the root that do not belong to HDFS-RAID and that stay
 * @param foreignEntries number of these paths
 * @param filesUnderParity number of files that the catalog knows to be under parity
 * @param policies whether policies are in force, paused, or paused for a withdrawal
 * @param waiting some of the reasons why a withdrawal waits
 */
public record FootprintReport(
    Instant checked,
    String root,
    boolean rootExists,
    long committed,
    long quarantined,
    long drafts,
    List<String> foreign,
    long foreignEntries,
    long filesUnderParity,
    String policies,
    List<String> waiting) {
  public FootprintReport {
    foreign = Absent.toEmpty(foreign);
    waiting = Absent.toEmpty(waiting);
    policies = Absent.toEmpty(policies);
  }

  /** Returns whether nothing of HDFS-RAID is left, not even the root directory. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean nothing() {
    return !rootExists && filesUnderParity == 0;
  }
}
