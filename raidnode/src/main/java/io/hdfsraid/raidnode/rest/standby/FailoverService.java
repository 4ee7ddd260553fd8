// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.standby;

import io.hdfsraid.raidapi.standby.FailoverReport;
import io.hdfsraid.raidapi.standby.FailoverRequest;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.hdfs.OwnerWatch;
import io.hdfsraid.raidnode.rest.ApiFailure;
import java.io.IOException;

/** Leaves the work of the active daemon to one that stands by. */
public class FailoverService {
  private final OwnerFile owner;
  private final boolean standsBy;

  /**
   * Creates a service.
   *
   * @param standsBy whether this daemon stands by when it has left its work
   */
  public FailoverService(OwnerFile owner, boolean standsBy) {
    this.owner = owner;
    this.standsBy = standsBy;
  }

  /** Begins to end this daemon, unless only asked what would happen. */
  public FailoverReport failover(FailoverRequest request, String by) throws IOException {
    if (!standsBy) {
      throw ApiFailure.refused(
          "This daemon does not stand by (standby.enabled: false), so it would end",
          "To end it: 'raidnode stop'. Whichever daemon stands by takes over then.");
    }
    if (!request.dryRun()) {
      owner.handOver(request.to(), by);
    }
    return new FailoverReport(
        owner.holder(), request.to(), (int) OwnerWatch.RESERVED_FOR.toSeconds(), !request.dryRun());
  }
}
