// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import java.util.Optional;

/**
 * What YARN says to the user as whom jobs run.
 *
 * @param user as whom it was asked
 * @param nodeManagers how many are active
 * @param largestMegabytes memory of the largest container that YARN gives
 * @param mostCores cores of the largest container that YARN gives
 * @param queue to which jobs are submitted
 * @param queueState such as RUNNING; empty if there is no such queue
 * @param maySubmit whether the user may submit jobs to the queue
 */
public record YarnFacts(
    String user,
    int nodeManagers,
    long largestMegabytes,
    int mostCores,
    String queue,
    Optional<String> queueState,
    boolean maySubmit) {}
