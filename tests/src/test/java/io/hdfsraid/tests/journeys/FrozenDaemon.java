// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.tests.journeys.DaemonWork.Task;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ipc.CallerContext;

/**
 * A daemon in a process of its own that works on one thing and stops all its threads, as {@code
 * kill -STOP} does, when it has come to a step or to a {@link HaltMoment}. After {@link #thaw} it
 * goes on until its fence refuses, tries whatever else a job might begin, and ends.
 *
 * <p>All its calls carry {@link #callerContext}, so the NameNode's audit log tells them from those
 * of other processes.
 */
public final class FrozenDaemon implements AutoCloseable {
  /** The exit code of a daemon that another one has deposed. */
  static final int DEPOSED = 4;

  private static final int NOT_REFUSED = 1;
  private static final String OWNS = "This process owns the cluster";
  private static final String STOPS = "This process stops at ";
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** Less than every process is frozen for, and more than a thread waits for a core. */
  private static final Duration FROZEN = Duration.ofSeconds(2);

  private final Process process;
  private final Path output;
  private final Task task;
  private long frozenAt;

  private FrozenDaemon(Process process, Path output, Task task) {
    this.process = process;
    this.output = output;
    this.task = task;
  }

  /**
   * Launches the process, which waits for {@link #freezeAtWork}: the JVM starts while another
   * daemon still owns the cluster.
   *
   * @param catalog its folder, which no other process uses
   * @param log folder for what it says
   */
  static FrozenDaemon launch(Path conf, Path catalog, Path log, Task task) throws IOException {
    Path said = Files.createTempFile(log, "frozen", ".log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FrozenDaemon.class.getName(),
                conf.toString(),
                catalog.toString(),
                task.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    return new FrozenDaemon(process, said, task);
  }

  /** Lets it become the owner and work; returns when all its threads have been stopped. */
  void freezeAtWork() throws IOException {
    try (OutputStream in = process.getOutputStream()) {
      in.write('\n');
    }
    await(() -> isStopped() && output().contains(STOPS));
    frozenAt = System.nanoTime();
  }

  /** Waits until it has been stopped for this time. */
  void awaitFrozenFor(Duration least) throws IOException {
    await(() -> System.nanoTime() - frozenAt >= least.toNanos());
  }

  /** Lets all its threads go on; returns its exit code when it has ended. */
  int thaw() throws IOException, InterruptedException {
    signal(process.pid(), "-CONT");
    if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("It does not end: " + output());
    }
    return process.exitValue();
  }

  private void await(Journey.Condition condition) throws IOException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.holds()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new AssertionError("%s was not stopped: %s".formatted(task, output()));
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
  }

  /** The third field of {@code /proc/PID/stat}, after the name in brackets. */
  private boolean isStopped() throws IOException {
    String stat = Files.readString(Path.of("/proc/%d/stat".formatted(process.pid())));
    return stat.startsWith(" T", stat.lastIndexOf(')') + 1);
  }

  private static void signal(long pid, String name) throws IOException, InterruptedException {
    int exit = new ProcessBuilder("kill", name, Long.toString(pid)).start().waitFor();
    if (exit != 0) {
      throw new IOException("kill %s %d ended with %d".formatted(name, pid, exit));
    }
  }

  Task task() {
    return task;
  }

  String callerContext() {
    return callerContext(process.pid());
  }

  private static String callerContext(long pid) {
    return "frozen-" + pid;
  }

  /** What it wrote to standard output and standard error. */
  String output() throws IOException {
    return Files.readString(output);
  }

  /** Ends it wherever it is. */
  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Arguments: the configuration file, the catalog folder, the task. */
  public static void main(String[] args) throws Exception {
    // Before any other thread is started, for they inherit it.
    CallerContext.setCurrent(
        new CallerContext.Builder(callerContext(ProcessHandle.current().pid())).build());
    Configuration conf = new Configuration();
    conf.addResource(new org.apache.hadoop.fs.Path(Path.of(args[0]).toUri()));
    Task task = Task.parse(args[2]);
    Clock clock = Clock.systemUTC();
    int exitCode;
    try (Catalog catalog = Catalog.open(Path.of(args[1]), clock)) {
      if (System.in.read() < 0) {
        System.exit(NOT_REFUSED); // the test has ended
      }
      try (HdfsCluster cluster =
          HdfsCluster.connect(
              FileSystem.getDefaultUri(conf), conf, ParitySettings.defaults(), clock)) {
        System.out.println(OWNS);
        exitCode = work(task, cluster, catalog, clock);
      }
    }
    System.exit(exitCode);
  }

  private static int work(Task task, HdfsCluster cluster, Catalog catalog, Clock clock) {
    Halt halt = new Halt(task.where(), onceOnly(() -> stop(task)));
    try (JobWiring jobs =
        JobWiring.of(
            cluster.seenAs(halt::watch),
            catalog,
            new Policies(List.of(), List.of(), 0),
            Journey.settings(),
            new JobListeners(RaidEvents.NONE, halt),
            clock)) {
      tried(() -> new DaemonWork(jobs, cluster, catalog).run(task));
      // As the job owner-check does.
      boolean refused = tried(cluster.access().fence()::pass) instanceof DeposedException;
      long inode = task.ids().get(0);
      tried(() -> jobs.select().raider().raid(inode, CrashCase.RS_3_2, "test"));
      tried(() -> jobs.upkeep().reconciler().reconcile(inode, "test"));
      tried(() -> jobs.upkeep().reconciler().unraid(inode, "test"));
      tried(() -> jobs.repair().job().run(inode, "test", stripe -> {}));
      tried(jobs.upkeep().cleanUp()::run);
      return refused ? DEPOSED : NOT_REFUSED;
    }
  }

  private static Runnable onceOnly(Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    return () -> {
      if (done.compareAndSet(false, true)) {
        action.run();
      }
    };
  }

  /** Returns when the process has been stopped and thawed: threads stop a little after the call. */
  private static void stop(Task task) {
    System.out.println(STOPS + task.where());
    try {
      long before;
      long now = System.nanoTime();
      signal(ProcessHandle.current().pid(), "-STOP");
      do {
        Thread.sleep(1);
        before = now;
        now = System.nanoTime();
      } while (now - before < FROZEN.toNanos());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private interface Attempt {
    void run() throws IOException;
  }

  /** Returns how it failed; null if it did not. What is refused may fail in any way. */
  private static Throwable tried(Attempt attempt) {
    try {
      attempt.run();
      return null;
    } catch (IOException | RuntimeException | AssertionError e) {
      System.out.println(e);
      return e;
    }
  }
}
