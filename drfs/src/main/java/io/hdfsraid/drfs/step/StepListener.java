package io.hdfsraid.drfs.step;

/**
 * Hears of each step of a pipeline after it is done and before the next begins. The daemon counts
 * and logs; the crash tests halt the process here, so whatever is true at this point must survive a
 * restart.
 */
@FunctionalInterface
public interface StepListener {
  StepListener NONE = (step, subject) -> {};

  /**
   * Called by the thread that did the step.
   *
   * @param step a constant of the pipeline's enum of steps
   * @param subject what it was done to, e.g. {@code inode 16387} or {@code stripe 2 of inode 16387}
   */
  void reached(Enum<?> step, String subject);
}
