// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.output;

/** Reduces the logging of libraries to errors, for commands whose output is their answer. */
public final class LibraryLogging {
  private static final String CONFIGURATION = "logback.configurationFile";

  private LibraryLogging() {}

  /**
   * Makes libraries log errors only, to stderr. It has no effect after the first log line, or if
   * logging is configured otherwise.
   */
  public static void hush() {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "io/hdfsraid/rescue/output/logback.xml");
    }
  }
}
