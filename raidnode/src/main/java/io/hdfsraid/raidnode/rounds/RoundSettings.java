package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.drfs.block.Vantage;
import io.hdfsraid.raidnode.raid.Pipelines;
import io.hdfsraid.raidnode.recency.RecencyRules;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What bounds and steers the rounds.
 *
 * @param root of the parity on HDFS
 * @param tuning how hard they work at first; see {@link Rounds#apply}
 * @param rowMemory bytes that the rows of all stripes may take that are encoded at once, and as
 *     many for those that are repaired; workers wait for it
 * @param movesPerNode units of which one DataNode takes part in the move, as source or as target
 * @param auditFilesPerSecond files that the audit of all stripes looks at in a second
 * @param patience how long a repair or a move waits for the NameNode to notice
 * @param dataNodeTimeout how long a DataNode may take for one answer, in checks, scrubs and repairs
 * @param repairAttempts how often one repair is planned anew when nodes fail
 * @param storm failure of so much at once that most repairs pause
 * @param recency where the knowledge about files and their use comes from
 * @param vantage where the daemon stands in the cluster
 */
public record RoundSettings(
    String root,
    Tuning tuning,
    long rowMemory,
    int movesPerNode,
    int auditFilesPerSecond,
    Duration patience,
    Duration dataNodeTimeout,
    int repairAttempts,
    Pipelines.Limits limits,
    RepairRound.Settings repair,
    StormBreaker.Limits storm,
    ScrubRound.Settings scrub,
    CleanUpRound.History history,
    RecencyRules recency,
    Vantage vantage) {

  /** For a cluster of usual size. */
  public static RoundSettings defaults() {
    return new RoundSettings(
        "/.raid",
        Tuning.workers(4, 4, 8),
        Runtime.getRuntime().maxMemory() / 4,
        2,
        50,
        Duration.ofSeconds(60),
        Duration.ofSeconds(60),
        3,
        new Pipelines.Limits(64, Duration.ofDays(1)),
        new RepairRound.Settings(Duration.ofMinutes(15), Duration.ofMinutes(5), 10),
        new StormBreaker.Limits(10, 50),
        new ScrubRound.Settings(Duration.ofHours(6), Duration.ofDays(30), Duration.ofDays(7)),
        new CleanUpRound.History(Duration.ofDays(90), 100_000),
        RecencyRules.listing("/.raid", Optional.empty()),
        Vantage.here(Optional.empty(), List.of()));
  }
}
