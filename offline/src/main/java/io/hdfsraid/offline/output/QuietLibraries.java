package io.hdfsraid.offline.output;

/** For commands whose answer is all that anybody wants to read. */
public final class QuietLibraries {
  private static final String CONFIGURATION = "logback.configurationFile";

  private QuietLibraries() {}

  /**
   * Libraries log errors alone, and to stderr. Counts only before the first of them has logged, and
   * where nobody has configured something else.
   */
  public static void hush() {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, "io/hdfsraid/offline/output/logback.xml");
    }
  }
}
