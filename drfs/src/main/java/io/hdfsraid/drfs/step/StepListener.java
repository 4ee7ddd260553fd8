// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.step;

/**
 * A listener that is called after each step of a pipeline and before the next step begins. The
 * daemon counts and logs the steps. The crash tests halt the process in the listener, so the state
 * at that point must survive a restart.
 */
@FunctionalInterface
public interface StepListener {
  StepListener NONE = (step, subject) -> {};

  /**
   * Called by the thread that has done the step.
   *
   * @param step a constant of the pipeline's enum of steps
   * @param subject the object of the step, e.g. {@code inode 16387} or {@code stripe 2 of inode
   *     16387}
   */
  void reached(Enum<?> step, String subject);
}
