package io.hdfsraid.drfs.hdfs;

import java.util.Objects;

/**
 * The location of the parity and the rule for read access to it.
 *
 * @param root absolute path, e.g. {@code /.raid}
 */
public record ParitySettings(String root, AccessRule access) {
  public static final String DEFAULT_ROOT = "/.raid";

  /** The rule for read access to parity. */
  public enum AccessRule {
    /** Users who may read the source, and nobody else. */
    INHERIT,
    /** The daemon only. Degraded reads then work only for the daemon's user. */
    DAEMON_ONLY,
    /**
     * Nobody knows whether HDFS alone decides who may read the source. Parity that has the rights
     * of its source keeps them; new parity, and that of a source whose rights have changed, is for
     * the daemon only until it is known.
     */
    UNKNOWN
  }

  public ParitySettings {
    Objects.requireNonNull(access, "access");
    if (!root.startsWith("/") || root.length() == 1 || root.endsWith("/")) {
      throw new IllegalArgumentException(
          "The root of the parity is an absolute path like %s, but got '%s'"
              .formatted(DEFAULT_ROOT, root));
    }
  }

  public static ParitySettings defaults() {
    return new ParitySettings(DEFAULT_ROOT, AccessRule.INHERIT);
  }
}
