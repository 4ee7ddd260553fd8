// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import java.util.Optional;

/**
 * What jobs ask of YARN.
 *
 * @param user the user as whom jobs run; empty for the daemon's own. Another user needs the
 *     daemon's user as a proxy user of HDFS and YARN
 * @param login as whom jobs run in place of the user, by a login of their own
 * @param queue empty for the queue that the cluster chooses
 * @param priority of the job within its queue; higher is sooner
 * @param nodeLabel empty for nodes of any label
 * @param memoryMegabytes memory of a container
 * @param cores of a container
 * @param attempts how often a task is tried
 * @param bytesPerTask bytes that a task reads
 * @param javaHome a Java 17 or later on the NodeManagers, if theirs is older
 */
public record ContainerSettings(
    Optional<String> user,
    Optional<JobLogin> login,
    Optional<String> queue,
    int priority,
    Optional<String> nodeLabel,
    int memoryMegabytes,
    int cores,
    int attempts,
    long bytesPerTask,
    Optional<String> javaHome) {

  /** Returns the same settings for containers of so much memory. */
  public ContainerSettings ofMemory(int megabytes) {
    return new ContainerSettings(
        user,
        login,
        queue,
        priority,
        nodeLabel,
        megabytes,
        cores,
        attempts,
        bytesPerTask,
        javaHome);
  }

  /** Returns the same settings for jobs that go before those with these settings. */
  public ContainerSettings sooner() {
    return new ContainerSettings(
        user,
        login,
        queue,
        priority + 1,
        nodeLabel,
        memoryMegabytes,
        cores,
        attempts,
        bytesPerTask,
        javaHome);
  }
}
