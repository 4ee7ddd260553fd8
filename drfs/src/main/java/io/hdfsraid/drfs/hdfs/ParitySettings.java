package io.hdfsraid.drfs.hdfs;

import java.util.Objects;

/**
 * Where parity lies and who may read it.
 *
 * @param root absolute path, e.g. {@code /.raid}
 */
public record ParitySettings(String root, Access access) {
  public static final String DEFAULT_ROOT = "/.raid";

  /** Who may read parity. */
  public enum Access {
    /** Who may read the source; never anybody else. */
    INHERIT,
    /** Nobody but the daemon: degraded reads then work for its user only. */
    DAEMON_ONLY
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
    return new ParitySettings(DEFAULT_ROOT, Access.INHERIT);
  }
}
