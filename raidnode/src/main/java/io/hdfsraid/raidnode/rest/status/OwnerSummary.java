// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidnode.hdfs.Ownership;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells whether this daemon may change the cluster, as the NameNode said when it was last asked.
 */
public final class OwnerSummary {
  private final String process;
  private final Instant since;
  private final Supplier<Ownership> ownership;

  /**
   * @param process this process, as it is written on the owner file
   * @param since when it became the owner
   */
  public OwnerSummary(String process, Instant since, Supplier<Ownership> ownership) {
    this.process = process;
    this.since = since;
    this.ownership = ownership;
  }

  Status.Owner owner() {
    return switch (ownership.get().state()) {
      case HELD -> new Status.Owner(Status.Owner.State.HELD, process, Optional.of(since));
      case LOST -> new Status.Owner(Status.Owner.State.LOST, "", Optional.empty());
      case UNCONFIRMED, ROOT_MOVED, WITHDRAWN ->
          new Status.Owner(Status.Owner.State.UNKNOWN, process, Optional.of(since));
    };
  }

  Optional<Problem> problem() {
    Ownership now = ownership.get();
    return switch (now.state()) {
      // The mode says that the daemon has withdrawn.
      case HELD, WITHDRAWN -> Optional.empty();
      case LOST ->
          Optional.of(
              new Problem(
                  "OWNERSHIP_LOST",
                  now.problem(),
                  "Only one RaidNode may be active on a cluster, and this one stands by in a moment."
                      + " If another one has taken over that you did not start, look at its log."));
      case UNCONFIRMED ->
          Optional.of(
              new Problem(
                  "OWNERSHIP_UNCONFIRMED",
                  now.problem(),
                  "It is asked again every 10 seconds. Is the NameNode up, and out of safe mode?"));
      case ROOT_MOVED ->
          Optional.of(
              new Problem(
                  "ROOT_MOVED",
                  now.problem(),
                  "Everything goes on by itself when it is back. fs.protected.directories on the"
                      + " NameNode keeps it from being moved again."));
    };
  }
}
