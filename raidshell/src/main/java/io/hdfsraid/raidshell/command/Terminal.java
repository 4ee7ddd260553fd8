// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.io.Console;

/** Finds out what a terminal shows. */
public final class Terminal {
  private Terminal() {}

  /**
   * Returns whether a terminal shows a bar on stderr, too. Java cannot tell, so the launcher does.
   */
  public static boolean showsErrors() {
    return watched() && !Boolean.getBoolean("hdfsraid.stderr-to-file");
  }

  /** Up to Java 21 there is a console only on a terminal; since then it has to be asked. */
  @SuppressWarnings("SystemConsoleNull")
  public static boolean watched() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }
}
