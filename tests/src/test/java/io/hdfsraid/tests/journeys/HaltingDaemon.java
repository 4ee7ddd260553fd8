package io.hdfsraid.tests.journeys;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.rounds.RaidEvents;
import io.hdfsraid.raidnode.rounds.Rounds;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
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
   * Arguments: the configuration file, the catalog folder, the work, the inode, the step or the
   * moment.
   */
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    conf.addResource(new org.apache.hadoop.fs.Path(Path.of(args[0]).toUri()));
    long inode = Long.parseLong(args[3]);
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
