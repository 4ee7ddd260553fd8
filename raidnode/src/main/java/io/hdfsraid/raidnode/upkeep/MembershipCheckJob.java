// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that the members of groups still exist. A deleted member is lost to its stripes. Until the
 * daemon notices, these stripes tolerate fewer losses. The edit log tells of it within seconds;
 * this job does not rely on that, but it need not check all groups each time while it can. It only
 * looks up each member and gives replicas back where they are needed. It never waits for encoding
 * or checks. It checks one group after another with one call of the NameNode for each member. Its
 * duration bounds the time for which a deletion stays unnoticed.
 */
public final class MembershipCheckJob {
  private static final Logger LOG = LoggerFactory.getLogger(MembershipCheckJob.class);
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
    return run(group -> true);
  }

  /**
   * Checks as {@link #run()} does, but only the groups whose turn it is.
   *
   * @return the number of groups that were checked
   */
  public int run(DailyTurn turn) throws IOException {
    return run(turn::isOf);
  }

  private int run(LongPredicate wanted) throws IOException {
    int[] groups = {0};
    try {
      parity.forEachGroup(
          group -> {
            if (wanted.test(group.value())) {
              groups[0]++;
              protect(group);
            }
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
    try {
      reconciler.protect(group, MEMBERSHIP_CHECK);
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} could not be protected; the next check tries again", group, e);
    }
  }
}
