// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.mode;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Keeps what operators have decided where the loss of the daemon's machine does not reach it. */
public interface DecisionStore {
  /** Returns all decisions, by name. */
  Map<String, String> read() throws IOException;

  /**
   * Keeps a decision.
   *
   * @param value empty to forget it
   */
  void write(String name, Optional<String> value) throws IOException;
}
