// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.util.Optional;

/** The size of the terminal that shows the output. */
public record TerminalSize(int columns, int rows) {
  /**
   * Returns the size; empty if no terminal shows the output. Java cannot tell the size, so the
   * launcher does. A size that makes no sense is unknown.
   */
  public static Optional<TerminalSize> known() {
    int columns = Integer.getInteger("hdfsraid.columns", 0);
    int rows = Integer.getInteger("hdfsraid.rows", 0);
    return columns > 0 && rows > 0
        ? Optional.of(new TerminalSize(columns, rows))
        : Optional.empty();
  }
}
