// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.tasks;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** How far a task has come. */
public enum TaskState {
  /** The task waits until the tasks before it have ended. */
  QUEUED,
  RUNNING,
  /** Every step was carried out. */
  DONE,
  /** Some steps were carried out; {@code reason} says what was not. */
  PARTLY_DONE,
  /** Nothing was carried out, or the daemon ended before the task. */
  FAILED,
  /** Somebody has cancelled the task. The steps that were done by then stay done. */
  CANCELLED,
  @JsonEnumDefaultValue
  UNKNOWN;

  /** Returns whether the task does nothing any more. */
  public boolean isEnded() {
    return this != QUEUED && this != RUNNING && this != UNKNOWN;
  }
}
