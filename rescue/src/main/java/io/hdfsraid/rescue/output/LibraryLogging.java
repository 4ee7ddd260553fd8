package io.hdfsraid.rescue.output;

/** Reduces the logging of libraries to errors, for commands whose output is their answer. */
public final class LibraryLogging {
  private static final String CONFIGURATION = "logback.configurationFile";

  private LibraryLogging() {}

  /**
   * Libraries log errors alone, and to stderr. Counts only before the first of them has logged, and
   * where nobody has configured something else.
   */
  public static void hush() {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "io/hdfsraid/rescue/output/logback.xml");
    }
  }
}
