// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.raidnode.access.KerberosCallers;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.hdfs.OwnerWatch;
import io.hdfsraid.raidnode.health.NameNodeWatch;
import io.hdfsraid.raidnode.metrics.RaidMetrics;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;

/** Builds the parts of a daemon. */
@FunctionalInterface
public interface Wiring {

  /**
   * A daemon that has not begun to work: {@link Daemon#schedule} starts when HTTP is ready to.
   *
   * @param opened takes what has to be closed when the daemon stops, or when the rest cannot be
   *     made
   */
  Daemon wire(Settings settings, RaidMetrics metrics, Clock clock, Opened opened) throws Exception;

  /**
   * Returns what tells when the daemon can be built. Nothing of it is opened before. By default it
   * can be at any time.
   *
   * @throws StartException if waiting would not help
   */
  default NameNodeWatch nameNode(Settings settings, Clock clock)
      throws IOException, StartException {
    return new NameNodeWatch("of the cluster", Optional::empty, clock);
  }

  /**
   * Returns what watches the daemon that works on the cluster. Empty, as by default, if this one
   * does not stand by. Asked when the daemon can be built.
   */
  default Optional<OwnerWatch> owner(Settings settings) throws IOException {
    return Optional.empty();
  }

  /**
   * Returns what keeps the index of a daemon that stands by current. It is closed before {@link
   * #wire}. Empty, as by default, if nothing does.
   */
  default Optional<StandbyIndex> standbyIndex(Settings settings, Clock clock) {
    return Optional.empty();
  }

  /**
   * Returns the wiring of another daemon of this process, for one of several nameservices.
   *
   * @throws UnsupportedOperationException as by default, if there is only one
   */
  default Wiring of(String nameservice) {
    throw new UnsupportedOperationException("There is no nameservice " + nameservice);
  }

  /** Keeps this process logged in while it stands by; nothing is done by default. */
  default void renewLogin() {}

  /**
   * Returns what tells who has sent a Kerberos ticket; empty, as by default, if none are accepted.
   */
  default Optional<KerberosCallers> kerberosCallers(Settings settings) throws IOException {
    return Optional.empty();
  }
}
