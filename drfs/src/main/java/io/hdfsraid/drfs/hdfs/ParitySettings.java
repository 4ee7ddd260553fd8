// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The location of the parity and the rule for read access to it.
 *
 * @param root absolute path, e.g. {@code /.raid}
 */
public record ParitySettings(String root, AccessRule access) {
  public static final String DEFAULT_ROOT = "/.raid";

  private static final Pattern AUDIT_FILE =
      Pattern.compile("(requests|actions)-\\d{8}T\\d{6}\\.\\d{3}Z\\.jsonl");

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

  /** Returns the directory of the daemon's audit below a root. */
  public static String auditDirectory(String root) {
    return root + "/audit";
  }

  /** Returns whether a file in the directory of the audit is one of the audit, by its name. */
  public static boolean isAuditFile(String name) {
    return AUDIT_FILE.matcher(name).matches();
  }

  public static ParitySettings defaults() {
    return new ParitySettings(DEFAULT_ROOT, AccessRule.INHERIT);
  }
}
