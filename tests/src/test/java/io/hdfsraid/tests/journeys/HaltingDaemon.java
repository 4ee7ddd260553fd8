package io.hdfsraid.tests.journeys;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.rounds.RaidEvents;
import io.hdfsraid.raidnode.rounds.Rounds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * A daemon in a process of its own that does one thing to one file and halts its JVM right after a
 * named step, or at a {@link HaltMoment}, as a power cut would. Ends with {@link #HALTED} when that
 * was reached, with 0 when it was not.
 */
public final class HaltingDaemon {
  static final int HALTED = 99;

  private HaltingDaemon() {}

  /**
   * Runs one in a process of its own until it halts.
   *
   * @param log folder for what it says
   * @param ids the inode id of the file; several for what is raided together; of a group that is to
   *     be encoded again, its number
   */
  static void start(
      Path conf, Path catalog, Path log, CrashCase.Work work, List<Long> ids, Enum<?> where)
      throws Exception {
    Path said = log.resolve("%s-%s.log".formatted(work, where));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                HaltingDaemon.class.getName(),
                conf.toString(),
                catalog.toString(),
                work.name(),
                ids.stream().map(String::valueOf).collect(Collectors.joining(",")),
                where.name())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("The halting daemon hangs: " + Files.readString(said));
    }
    if (process.exitValue() != HALTED) {
      throw new AssertionError("The halting daemon said: " + Files.readString(said));
    }
  }

  /**
   * Arguments: the configuration file, the catalog folder, the work, the ids with commas between,
   * the step or the moment.
   */
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    conf.addResource(new org.apache.hadoop.fs.Path(Path.of(args[0]).toUri()));
    List<Long> ids = Stream.of(args[3].split(",")).map(Long::valueOf).toList();
    long inode = ids.get(0);
    Halt halt = new Halt(args[4]);
    Clock clock = Clock.systemUTC();
    try (HdfsCluster cluster =
            HdfsCluster.connect(
                org.apache.hadoop.fs.FileSystem.getDefaultUri(conf),
                conf,
                ParitySettings.defaults(),
                clock);
        Catalog catalog = Catalog.open(Path.of(args[1]), clock);
        Rounds rounds =
            new Rounds(
                cluster.seenAs(halt::watch),
                catalog,
                new Policies(List.of(), List.of(), 0),
                Journey.settings(),
                RaidEvents.NONE,
                halt,
                clock)) {
      switch (CrashCase.Work.valueOf(args[2])) {
        case RAID -> {
          rounds.raid().raid(inode, CrashCase.RS_3_2, "test");
          attendUntil(rounds, catalog, inode, FileStatus.RAIDED);
        }
        case RAID_TOGETHER -> {
          rounds.raid().raidTogether(ids, CrashCase.RS_3_2, "test");
          attendUntil(rounds, catalog, inode, FileStatus.RAIDED);
        }
        case REGROUP ->
            Journey.until(
                () -> {
                  rounds.attend().attend(inode, "test");
                  return cluster.access().parity().find(inode).isEmpty();
                },
                () -> "group %d to have handed over".formatted(inode));
        case AUDIT -> attendUntil(rounds, catalog, inode, FileStatus.RAIDED);
        case UNRAID -> {
          rounds.attend().unraid(inode, "test");
          attendUntil(rounds, catalog, inode, FileStatus.LEFT);
          rounds.cleanUp().run();
        }
        case REPAIR -> {
          rounds.integrity().check(inode);
          rounds.repair().run(inode, "test");
        }
      }
    }
  }

  private static void attendUntil(Rounds rounds, Catalog catalog, long inode, FileStatus wanted)
      throws Exception {
    Journey.until(
        () -> {
          rounds.attend().attend(inode, "test");
          return catalog.files().find(inode).orElseThrow().status() == wanted;
        },
        () -> "inode %d to be %s".formatted(inode, wanted));
  }
}
