// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.standby;

import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.standby.DaemonReport;
import java.util.Optional;

/**
 * The answer of one daemon, or why there is none.
 *
 * @param url the address that was asked
 * @param daemon what the daemon says of itself; empty if it could not be asked
 * @param failure why it could not be asked; empty if it has answered
 * @param hint what to do about the failure; may be empty
 */
record AskedDaemon(String url, Optional<DaemonReport> daemon, String failure, String hint) {
  static AskedDaemon answering(String url, DaemonReport daemon) {
    return new AskedDaemon(url, Optional.of(daemon), "", "");
  }

  static AskedDaemon failing(String url, RaidNodeException why) {
    return new AskedDaemon(url, Optional.empty(), why.getMessage(), why.hint());
  }

  boolean is(DaemonReport.Role role) {
    return daemon.filter(answer -> answer.role() == role).isPresent();
  }

  /** Returns what is wrong with the daemon, or why nobody knows; empty if nothing is. */
  String problem() {
    return daemon.map(DaemonReport::problem).orElse(failure);
  }
}
