// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.standby;

import io.hdfsraid.raidapi.standby.FailoverReport;
import io.hdfsraid.raidapi.standby.FailoverRequest;
import io.hdfsraid.raidnode.catalog.History;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.hdfs.OwnerWatch;
import io.hdfsraid.raidnode.rest.ApiFailure;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.regex.Pattern;

/** Leaves the work of the active daemon to one that stands by. */
public class FailoverService {
  private static final Pattern HOST_NAME = Pattern.compile("(?![0-9.]+$)[A-Za-z0-9._-]{1,253}");

  private final OwnerFile owner;
  private final boolean standsBy;
  private final History history;
  private final Clock clock;

  /**
   * Creates a service.
   *
   * @param standsBy whether this daemon stands by when it has left its work
   */
  public FailoverService(OwnerFile owner, boolean standsBy, History history, Clock clock) {
    this.owner = owner;
    this.standsBy = standsBy;
    this.history = history;
    this.clock = clock;
  }

  /** Begins to end this daemon, unless only asked what would happen. */
  public FailoverReport failover(FailoverRequest request, String by) throws IOException {
    if (!standsBy) {
      throw ApiFailure.refused(
          "This daemon does not stand by (standby.enabled: false), so it would end",
          "To end it: 'raidnode stop'. Whichever daemon stands by takes over then.");
    }
    Optional<String> to = request.to().map(String::strip).filter(name -> !name.isEmpty());
    if (to.filter(name -> !HOST_NAME.matcher(name).matches()).isPresent()) {
      throw ApiFailure.badRequest(
          "This is no host name: " + to.get(),
          "Name the machine as 'hostname' on it does; the daemon that stands by there takes over.");
    }
    if (!request.dryRun()) {
      String what = "Leaves the work to " + to.map("the daemon on "::concat).orElse("another one");
      try {
        owner.handOver(to, by, () -> note(what, true, by));
      } catch (IOException e) {
        note(what + ": " + e.getMessage(), false, by);
        throw e;
      }
    }
    return new FailoverReport(
        owner.holder(), to, (int) OwnerWatch.RESERVED_FOR.toSeconds(), !request.dryRun());
  }

  private void note(String what, boolean succeeded, String by) {
    history.add(
        new HistoryRecord(
            clock.instant(), "failover", Optional.empty(), "/", succeeded, by, what, 0, 0));
  }
}
