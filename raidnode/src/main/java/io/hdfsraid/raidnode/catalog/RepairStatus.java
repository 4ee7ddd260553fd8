// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

/**
 * The status of a repair, with the tag that is stored on disk. The {@link RepairState} of each
 * status offers the steps that leave it.
 */
public enum RepairStatus {
  /** The stripe has lost units; the repair waits for a worker. */
  WAITING("waiting"),
  RUNNING("running"),
  /** The repair waits until a given time. */
  POSTPONED("postponed"),
  /**
   * The repair has failed repeatedly and waits until an operator or a change of the stripe wakes
   * it.
   */
  PARKED("parked"),
  /**
   * The remaining units do not determine the lost ones. The repair is tried again when a node
   * returns.
   */
  UNRECOVERABLE("unrecoverable");

  private final String tag;

  RepairStatus(String tag) {
    this.tag = tag;
  }

  public String tag() {
    return tag;
  }

  /**
   * Returns the status with the given tag.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static RepairStatus ofTag(String tag) {
    for (RepairStatus status : values()) {
      if (status.tag.equals(tag)) {
        return status;
      }
    }
    throw new IllegalArgumentException("unknown status of a repair '" + tag + "'");
  }
}
