package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.raidnode.raid.Pipelines;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What bounds and steers the rounds.
 *
 * @param root of the parity on HDFS
 * @param raidWorkers files raided at once
 * @param repairWorkers stripes repaired at once
 * @param ioThreads reads, writes and questions to DataNodes at once, all workers together
 * @param rowMemory bytes that the rows of all stripes may take that are encoded at once, and as
 *     many for those that are repaired; workers wait for it
 * @param moves units moved at once
 * @param movesPerNode of which one DataNode takes part in, as source or as target
 * @param auditFilesPerSecond files that the audit of all stripes looks at in a second
 * @param patience how long a repair or a move waits for the NameNode to notice
 * @param repairAttempts how often one repair is planned anew when nodes fail
 * @param atimeSince since when access times can be believed, where the administrator says so
 */
public record RoundSettings(
    String root,
    int raidWorkers,
    int repairWorkers,
    int ioThreads,
    long rowMemory,
    int moves,
    int movesPerNode,
    int auditFilesPerSecond,
    Duration patience,
    int repairAttempts,
    Pipelines.Limits limits,
    RepairRound.Settings repair,
    CleanUpRound.History history,
    Optional<Instant> atimeSince) {

  /** For a cluster of usual size. */
  public static RoundSettings defaults() {
    return new RoundSettings(
        "/.raid",
        4,
        4,
        64,
        Runtime.getRuntime().maxMemory() / 4,
        8,
        2,
        50,
        Duration.ofSeconds(60),
        3,
        new Pipelines.Limits(64, Duration.ofDays(1)),
        new RepairRound.Settings(Duration.ofMinutes(15), Duration.ofMinutes(5), 10),
        new CleanUpRound.History(Duration.ofDays(90), 100_000),
        Optional.empty());
  }
}
