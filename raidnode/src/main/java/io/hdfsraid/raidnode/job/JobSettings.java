// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.repair.RepairSchedule;
import io.hdfsraid.raidnode.repair.StormBreaker;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.upkeep.CleanUpJob;
import io.hdfsraid.raidnode.upkeep.VanishedParity;
import io.hdfsraid.recency.RecencyOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the jobs of one daemon.
 *
 * @param root of the parity on HDFS
 * @param tuning the limits at the start; see {@link TuningControl#apply}
 * @param rowMemory memory in bytes for the rows of all stripes that are encoded at once, and as
 *     much again for repairs; workers wait for it
 * @param movesPerNode simultaneous moves with one DataNode as source or target
 * @param auditFilesPerSecond files per second that the audit of all stripes checks
 * @param polling how a repair or a move waits for the NameNode to notice
 * @param dataNodeTimeout how long a DataNode may take for one answer, in checks, scrubs and repairs
 * @param repairAttempts how often one repair is planned again when nodes fail
 * @param raidRetryAfter how long a file is left alone after a DataNode kept it from being raided
 * @param storm how much must fail at once for most repairs to pause
 * @param lostParity how replicas are brought back if much parity is gone at once
 * @param recency where the knowledge about files and their use comes from
 * @param readerLocation where the daemon is in the network
 */
public record JobSettings(
    String root,
    Tuning tuning,
    long rowMemory,
    int movesPerNode,
    int auditFilesPerSecond,
    Polling polling,
    Duration dataNodeTimeout,
    int repairAttempts,
    Pipelines.Limits limits,
    Duration raidRetryAfter,
    RepairSchedule repair,
    StormBreaker.Limits storm,
    ScrubJob.Settings scrub,
    CleanUpJob.History history,
    VanishedParity.Limits lostParity,
    RecencyOptions recency,
    ReaderLocation readerLocation) {

  /** Returns the same settings with other {@link #rowMemory}. */
  public JobSettings withRowMemory(long bytes) {
    return new JobSettings(
        root,
        tuning,
        bytes,
        movesPerNode,
        auditFilesPerSecond,
        polling,
        dataNodeTimeout,
        repairAttempts,
        limits,
        raidRetryAfter,
        repair,
        storm,
        scrub,
        history,
        lostParity,
        recency,
        readerLocation);
  }

  /** For a cluster of usual size. */
  public static JobSettings defaults() {
    return new JobSettings(
        "/.raid",
        Tuning.workers(4, 4, 8),
        Runtime.getRuntime().maxMemory() / 4,
        2,
        50,
        // A DataNode reports a new replica within milliseconds.
        Polling.withBackoff(Duration.ofMillis(10), Duration.ofSeconds(60), Duration.ofMillis(100)),
        Duration.ofSeconds(60),
        3,
        new Pipelines.Limits(64, Duration.ofDays(1)),
        Duration.ofHours(1),
        new RepairSchedule(Duration.ofMinutes(15), Duration.ofMinutes(5), 10),
        new StormBreaker.Limits(10, 50),
        new ScrubJob.Settings(Duration.ofHours(6), Duration.ofDays(30), Duration.ofDays(7)),
        new CleanUpJob.History(Duration.ofDays(90), 100_000),
        VanishedParity.Limits.DEFAULT,
        RecencyOptions.listing("/.raid", Optional.empty()),
        ReaderLocation.ofThisMachine(Optional.empty(), List.of()));
  }
}
