// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.dropwizard.util.DataSize;
import io.dropwizard.util.DataSizeUnit;
import io.dropwizard.util.Duration;
import io.dropwizard.validation.MaxDataSize;
import io.dropwizard.validation.MaxDuration;
import io.dropwizard.validation.MinDataSize;
import io.dropwizard.validation.MinDuration;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.yarn.job.ContainerSettings;
import io.hdfsraid.yarn.job.JobLogin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How files are encoded and stripes repaired in containers of YARN, if {@code raiding.engine} and
 * {@code repair.engine} say so.
 *
 * @param user the user as whom jobs run; default the daemon's own, which many clusters ban from
 *     YARN. Another one needs the daemon's user as a proxy user
 * @param kerberos as whom jobs run in place of the user; default none
 * @param queue default the one that the cluster chooses
 * @param priority of jobs within their queue, one higher for those that repair; default 0
 * @param nodeLabel default none
 * @param memory of a container; default 2 GiB
 * @param cores of a container; default 1
 * @param containers that run at the same time in a job; default 20
 * @param bytesPerSecond bytes per second that all containers together read and write; default 0, no
 *     limit
 * @param attempts how often a task is tried; default 2
 * @param bytesPerTask bytes that a container reads; default 16 GB
 * @param bytesPerJob bytes to read from which on a job is submitted; default 1 TB
 * @param jobs that encode at the same time, and as many that repair; default 2
 * @param files that wait for containers at the same time, and as many stripes to repair; default
 *     256
 * @param gather how long a file or stripe waits for others to share a job with; default 30 seconds
 * @param patience how long a job may wait for its queue before the daemon does its work; default 15
 *     minutes
 * @param javaHome a Java 17 or later on the NodeManagers; default that with which they run
 */
public record YarnSettings(
    Optional<String> user,
    PrincipalSettings kerberos,
    Optional<String> queue,
    @Min(0) @Max(1_000) Integer priority,
    Optional<String> nodeLabel,
    @MinDataSize(value = 512, unit = DataSizeUnit.MEBIBYTES)
        @MaxDataSize(value = 64, unit = DataSizeUnit.GIBIBYTES)
        DataSize memory,
    @Min(1) @Max(64) Integer cores,
    @Min(1) @Max(100_000) Integer containers,
    @MaxDataSize(value = 100, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecond,
    @Min(1) @Max(10) Integer attempts,
    @MinDataSize(value = 1, unit = DataSizeUnit.MEGABYTES)
        @MaxDataSize(value = 10, unit = DataSizeUnit.TERABYTES)
        DataSize bytesPerTask,
    @MinDataSize(value = 1, unit = DataSizeUnit.MEGABYTES)
        @MaxDataSize(value = 1, unit = DataSizeUnit.PETABYTES)
        DataSize bytesPerJob,
    @Min(1) @Max(100) Integer jobs,
    @Min(1) @Max(10_000) Integer files,
    @MinDuration(value = 0, unit = TimeUnit.SECONDS) @MaxDuration(value = 1, unit = TimeUnit.HOURS)
        Duration gather,
    @MinDuration(value = 1, unit = TimeUnit.SECONDS) @MaxDuration(value = 7, unit = TimeUnit.DAYS)
        Duration patience,
    Optional<String> javaHome) {
  public YarnSettings {
    user = given(user);
    kerberos = requireNonNullElse(kerberos, PrincipalSettings.NONE);
    queue = given(queue);
    nodeLabel = given(nodeLabel);
    javaHome = given(javaHome);
    priority = requireNonNullElse(priority, 0);
    memory = requireNonNullElse(memory, DataSize.gibibytes(2));
    cores = requireNonNullElse(cores, 1);
    containers = requireNonNullElse(containers, 20);
    bytesPerSecond = requireNonNullElse(bytesPerSecond, DataSize.bytes(0));
    attempts = requireNonNullElse(attempts, 2);
    bytesPerTask = requireNonNullElse(bytesPerTask, DataSize.gigabytes(16));
    bytesPerJob = requireNonNullElse(bytesPerJob, DataSize.terabytes(1));
    jobs = requireNonNullElse(jobs, 2);
    files = requireNonNullElse(files, 256);
    gather = requireNonNullElse(gather, Duration.seconds(30));
    patience = requireNonNullElse(patience, Duration.minutes(15));
  }

  /** Returns the value, if there is one: a key may be there without a value. */
  private static Optional<String> given(Optional<String> value) {
    return value == null ? Optional.empty() : value.filter(text -> !text.isBlank());
  }

  public static YarnSettings defaults() {
    return new YarnSettings(
        Optional.empty(),
        null,
        Optional.empty(),
        null,
        Optional.empty(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        Optional.empty());
  }

  /**
   * Returns what jobs ask of YARN.
   *
   * @param folder in which the path of a keytab begins
   */
  public ContainerSettings container(Path folder) {
    return new ContainerSettings(
        user,
        kerberos
            .principal()
            .map(principal -> new JobLogin(principal, kerberos.keytab(folder).orElseThrow())),
        queue,
        priority,
        nodeLabel,
        Math.toIntExact(memory.toMebibytes()),
        cores,
        attempts,
        bytesPerTask.toBytes(),
        javaHome);
  }

  /** Returns what bounds the jobs. */
  public ContainerJobs.Limits limits() {
    return new ContainerJobs.Limits(
        files,
        jobs,
        bytesPerJob.toBytes(),
        gather.toJavaDuration(),
        containers,
        patience.toJavaDuration());
  }
}
