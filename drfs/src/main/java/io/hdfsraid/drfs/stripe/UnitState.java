// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

/** The state of a unit: what HDFS shows now of the block that the manifest records. */
public enum UnitState {
  /** Zeros by definition: reading it costs nothing and it cannot be lost. */
  ABSENT,
  /** The recorded block has a replica that is not known to be bad. */
  LIVE,
  /** The recorded block is still the file's, and no good replica of it is known. */
  LOST,
  /**
   * The recorded block is not part of the file any more, or its generation stamp or length has
   * changed. Nothing may be read from it, delivered for it or concluded from it.
   */
  CHANGED
}
