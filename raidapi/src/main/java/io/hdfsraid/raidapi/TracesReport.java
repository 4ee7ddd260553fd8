package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;

/**
 * What there is of HDFS-RAID on the cluster, asked of HDFS for this answer.
 *
 * @param root the directory of the parity
 * @param rootExists whether there is one
 * @param committed parity files that protect something now
 * @param quarantined parity files that are kept for a while
 * @param drafts parity that is being made, or was left by a crash
 * @param foreign paths below the root that are not ours, and stay; some of them
 * @param foreignEntries how many there are
 * @param filesUnderParity files that the catalog still knows to be under parity
 * @param policies whether policies go on, are paused, or are paused for a withdrawal
 * @param waiting what a withdrawal waits for; some of it
 */
public record TracesReport(
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
  public TracesReport {
    foreign = Absent.toEmpty(foreign);
    waiting = Absent.toEmpty(waiting);
    policies = Absent.toEmpty(policies);
  }

  /** Nothing of us is left, not even the root. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean nothing() {
    return !rootExists && filesUnderParity == 0;
  }
}
