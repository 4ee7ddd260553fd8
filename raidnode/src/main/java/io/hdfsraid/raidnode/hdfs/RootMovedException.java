// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import java.io.IOException;

/**
 * Thrown while the root of the parity is not where it was. Nothing is lost: all parity is there
 * when the root is moved back.
 */
public final class RootMovedException extends IOException {
  private static final long serialVersionUID = 1L;

  private RootMovedException(String message) {
    super(message);
  }

  /** Creates the exception for a root whose new place is known. */
  static RootMovedException to(String from, String to) {
    return new RootMovedException(
        "The root of the parity was moved from %s to %s. Nothing is changed until it is back, and what is in a trash folder will be deleted. Move it back: hdfs dfs -mv %s %s"
            .formatted(from, to, to, from));
  }

  /** Creates the exception for a root that still exists, but nobody says where. */
  static RootMovedException away(String from) {
    return new RootMovedException(
        "The root of the parity was moved away from %s. Nothing is changed until it is back. Look for it, also in trash folders, and move it back"
            .formatted(from));
  }
}
