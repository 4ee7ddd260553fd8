// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.util.Locale;

/**
 * State of a file on its way into protection by parity and out of it.
 *
 * <pre>
 *   LEFT ⇄ CANDIDATE ─▶ COMMITTED ─▶ REDUCED ⇄  RAIDED ─▶ UNRAIDING ─▶ LEFT
 *                           └────────────┴──▶ (changed by a user) ─▶ UNRAIDING
 * </pre>
 *
 * The pipelines, the catalog, the metrics and the REST API all use this enum.
 */
public enum FileState {
  /** The file has no parity and stays as it is; the reason says why. */
  LEFT,
  /** The file has no parity yet. Its policy raids it in the next run. */
  CANDIDATE,
  /** The parity is committed. The file still has all its replicas. */
  COMMITTED,
  /** The replication is lowered. Excess replicas may remain, and the placement is not audited. */
  REDUCED,
  /** Every stripe tolerates as many losses as its codec promises, as an audit has found. */
  RAIDED,
  /**
   * The replication is being restored, or the file is gone and something still holds one of its
   * blocks. The parity stays until every block has its replicas or does not exist.
   */
  UNRAIDING,
  /** A state that only a newer daemon knows. This daemon never assigns it. */
  @JsonEnumDefaultValue
  UNKNOWN;

  /** Returns the name that the catalog and the metrics use. It never changes. */
  public String tag() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the state with the given tag.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static FileState ofTag(String tag) {
    for (FileState state : values()) {
      if (state.tag().equals(tag)) {
        return state;
      }
    }
    throw new IllegalArgumentException("There is no file state '" + tag + "'");
  }
}
