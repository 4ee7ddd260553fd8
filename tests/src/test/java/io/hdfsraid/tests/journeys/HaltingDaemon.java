// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.tests.journeys.DaemonWork.Task;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * A daemon in a process of its own that works on many files at once and halts its JVM, as a power
 * cut would, when it has come as far with each of them as it was told: right after a step, or at a
 * {@link HaltMoment}. Ends with {@link #HALTED} then.
 */
public final class HaltingDaemon {
  private static final int HALTED = 99;

  private HaltingDaemon() {}

  /**
   * Runs one in a process of its own until it halts.
   *
   * @param log folder for what it says
   */
  static void start(Path conf, Path catalog, Path log, List<Task> tasks) throws Exception {
    Path said = Files.createTempFile(log, "halting", ".log");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                HaltingDaemon.class.getName(),
                conf.toString(),
                catalog.toString()));
    tasks.forEach(task -> command.add(task.toString()));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    if (!process.waitFor(3, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("The halting daemon hangs: " + Files.readString(said));
    }
    if (process.exitValue() != HALTED) {
      throw new AssertionError("The halting daemon said: " + Files.readString(said));
    }
  }

  /** Arguments: the configuration file, the catalog folder, the tasks. */
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    conf.addResource(new org.apache.hadoop.fs.Path(Path.of(args[0]).toUri()));
    List<Task> tasks = Stream.of(args).skip(2).map(Task::parse).toList();
    Set<Task> left = ConcurrentHashMap.newKeySet();
    left.addAll(tasks);
    Clock clock = Clock.systemUTC();
    HdfsCluster cluster =
        HdfsCluster.connect(
            org.apache.hadoop.fs.FileSystem.getDefaultUri(conf),
            conf,
            ParitySettings.defaults(),
            clock);
    Catalog catalog = Catalog.open(Path.of(args[1]), clock);
    for (Task task : tasks) {
      Halt halt =
          new Halt(
              task.where(),
              () -> {
                left.remove(task);
                if (left.isEmpty()) {
                  Runtime.getRuntime().halt(HALTED);
                }
                while (true) {
                  LockSupport.park(task);
                }
              });
      new Thread(() -> workUntilHalted(task, halt, cluster, catalog, clock)).start();
    }
  }

  private static void workUntilHalted(
      Task task, Halt halt, HdfsCluster cluster, Catalog catalog, Clock clock) {
    try (JobWiring jobs =
        JobWiring.of(
            cluster.seenAs(halt::watch),
            catalog,
            new Policies(List.of(), List.of(), 0),
            Journey.settings(),
            new JobListeners(RaidEvents.NONE, halt),
            clock)) {
      new DaemonWork(jobs, cluster, catalog).run(task);
      throw new AssertionError("It is done, and was not halted");
    } catch (Exception | AssertionError e) {
      System.out.println(task);
      e.printStackTrace(System.out);
      Runtime.getRuntime().halt(1);
    }
  }
}
