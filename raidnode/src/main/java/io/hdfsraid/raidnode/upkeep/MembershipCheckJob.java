package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityStore;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Checks that the members of all groups still exist. A deleted member is lost to its stripes, and
 * HDFS does not tell the daemon. Until the daemon notices, these stripes tolerate fewer losses. So
 * this job only looks up each member and gives replicas back where they are needed. It never waits
 * for encoding or checks. It checks one group after another with one call of the NameNode for each
 * member. Its duration bounds the time for which a deletion stays unnoticed.
 */
public final class MembershipCheckJob {
  private static final String MEMBERSHIP_CHECK = "membership-check";

  private final ParityStore parity;
  private final ReconcileJob reconciler;

  public MembershipCheckJob(ParityStore parity, ReconcileJob reconciler) {
    this.parity = parity;
    this.reconciler = reconciler;
  }

  /**
   * Compares the memberships with the manifests of all groups.
   *
   * @return the number of groups
   */
  public int run() throws IOException {
    int[] groups = {0};
    try {
      parity.forEachGroup(
          group -> {
            groups[0]++;
            protect(group);
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return groups[0];
  }

  private void protect(GroupId group) {
    if (Thread.currentThread().isInterrupted()) {
      throw new UncheckedIOException(new IOException("The membership check was interrupted"));
    }
    reconciler.protect(group, MEMBERSHIP_CHECK);
  }
}
