// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.raidnode.containers.ContainerJobs.Running;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.Work;
import java.util.List;
import java.util.Map;

/**
 * Work that waits for containers. One thread waits for its end, and another one tells it what
 * happens. After it was added to a {@link JobDispatcher} it hears of its end: by answers for all of
 * its stripes, or because it is given up.
 */
public interface WaitingWork {

  /** Returns the work with its number in a job. */
  List<? extends Work> numbered(int number);

  /** Returns the bytes to read. */
  long bytes();

  int stripes();

  /** Returns the bytes that a container has read for an answer, by distance. */
  Map<Distance, Long> bytesByDistance(Answer answer);

  /** Whether nobody waits for it any more. */
  boolean isAbandoned();

  /** Tells which job does it. */
  void submitted(Running job);

  /**
   * Delivers an answer.
   *
   * @return whether it is the last one about its stripe
   */
  boolean answered(Answer answer);

  /** Tells that no further answer will come. */
  void giveUp(String reason);

  /** Tells that the daemon stops. */
  void stop();
}
