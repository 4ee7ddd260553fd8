package io.hdfsraid.raidnode.catalog;

/** Where the repair of a stripe stands. A repaired stripe leaves the table for the history. */
public enum RepairStatus {
  /** Known to have lost units; waits for a worker. */
  WAITING("waiting"),
  RUNNING("running"),
  /** Set aside until a known time, because of the reason it carries. */
  POSTPONED("postponed"),
  /** Set aside after repeated failure; an operator, or a change of the stripe, wakes it. */
  PARKED("parked"),
  /** The units that are left do not determine the lost ones; tried again when a node returns. */
  UNRECOVERABLE("unrecoverable");

  private final String tag;

  RepairStatus(String tag) {
    this.tag = tag;
  }

  public String tag() {
    return tag;
  }

  /**
   * The status with the given tag.
   *
   * @throws IllegalArgumentException when there is none
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
