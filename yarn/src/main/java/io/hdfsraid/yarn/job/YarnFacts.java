// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import java.util.Optional;

/**
 * The answers of YARN to the user that jobs run as.
 *
 * @param nodeManagers number of active ones
 * @param largestMegabytes memory of the largest container that YARN grants
 * @param mostCores cores of the largest container that YARN grants
 * @param queue to which jobs are submitted; empty if the cluster chooses one
 */
public record YarnFacts(
    String user, int nodeManagers, long largestMegabytes, int mostCores, Optional<Queue> queue) {

  /**
   * A queue that the settings name.
   *
   * @param state such as RUNNING; empty if there is no such queue
   * @param maySubmit whether the user has the right to submit jobs to it
   */
  public record Queue(String name, Optional<String> state, boolean maySubmit) {}
}
