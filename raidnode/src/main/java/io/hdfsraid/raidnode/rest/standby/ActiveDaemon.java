// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.standby;

import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidnode.hdfs.Ownership;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Reports the state of the active daemon. */
public final class ActiveDaemon {
  private final String process;
  private final Instant since;
  private final LongSupplier epoch;
  private final Supplier<Ownership> ownership;

  /**
   * @param process this process, as it is written on the owner file
   * @param since when it became the owner
   * @param epoch counts the owners so far
   */
  public ActiveDaemon(
      String process, Instant since, LongSupplier epoch, Supplier<Ownership> ownership) {
    this.process = process;
    this.since = since;
    this.epoch = epoch;
    this.ownership = ownership;
  }

  /** Returns what the NameNode has said of its ownership when it was last asked. */
  public DaemonReport report() {
    return new DaemonReport(
        DaemonReport.Role.ACTIVE,
        Build.current().version(),
        process,
        since,
        Optional.of(epoch.getAsLong()),
        Optional.empty(),
        problem(ownership.get()));
  }

  private static String problem(Ownership now) {
    return switch (now.state()) {
      case HELD, WITHDRAWN -> ""; // an operator has asked for a withdrawal
      case UNCONFIRMED, ROOT_MOVED, LOST -> now.problem();
    };
  }
}
