// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** What a task does. */
@FunctionalInterface
public interface TaskWork {

  /**
   * Carries the task out, and tells the meter what is planned, done and failed. An interrupt of the
   * thread cancels the work.
   */
  void run(TaskMeter meter) throws IOException;

  /**
   * One step, such as a file.
   *
   * @param subject the path of the file, for messages
   * @param bytes bytes that the step is planned to read
   */
  record Step(String subject, long bytes, StepWork work) {}

  /** What a step does. */
  @FunctionalInterface
  interface StepWork {
    /**
     * Carries the step out.
     *
     * @param read takes the number of bytes that were read; may be called by several threads
     * @return why the step was not carried out; empty if it was
     */
    Optional<String> run(LongConsumer read) throws IOException;
  }

  /** Returns work of several steps, one after another. A step that fails does not stop others. */
  static TaskWork of(List<Step> steps) {
    return new TaskSteps(new ArrayList<>(steps));
  }
}
