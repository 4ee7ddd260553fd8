// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.tests.journeys.DaemonWork.Task;
import io.hdfsraid.tests.recency.AuditLogFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * A chain of daemons: each deposes the one before it, works on something of its own, is stopped in
 * the middle of it, and is deposed by the next. Each goes on when the next one is stopped, so
 * nobody else changes anything then, and writes down what the NameNode and the DataNodes have seen
 * of it.
 */
final class Depositions implements AutoCloseable {
  /** Makes the NameNode write which process has called. */
  static final Map<String, String> HDFS_SETTINGS = Map.of("hadoop.caller.context.enabled", "true");

  /** An answer of the fence is believed for 3 s, less than the NameNode grants a lease. */
  private static final Duration NO_LONGER_BELIEVED = Duration.ofMillis(3_200);

  private static final org.apache.hadoop.fs.Path OWNER =
      new org.apache.hadoop.fs.Path("/.raid/owner");

  private final Journey journey;
  private final Path folder;
  private final Path conf;
  private final AuditLogFile audit;
  private final Predicate<String> copiedByHdfs;
  private final List<FrozenDaemon> launched = new ArrayList<>();
  private final Map<Task, Deposed> deposed = new HashMap<>();

  /**
   * What one has done after it was deposed.
   *
   * @param output what it said from its start on
   * @param changes the lines of the audit log
   * @param deliveries the replicas that DataNodes have got
   */
  private record Deposed(
      String output, int exitCode, List<String> changes, Set<String> deliveries) {}

  /**
   * @param journey on an HDFS with {@link #HDFS_SETTINGS}
   * @param folder for logs and catalogs
   * @param copiedByHdfs tells the paths of files of which HDFS itself makes replicas meanwhile
   */
  Depositions(Journey journey, Path folder, Predicate<String> copiedByHdfs) throws IOException {
    this.journey = journey;
    this.folder = folder;
    this.copiedByHdfs = copiedByHdfs;
    this.audit = AuditLogFile.in(folder);
    this.conf = folder.resolve("conf.xml");
    Configuration written = new Configuration(journey.hdfs.configuration());
    try (OutputStream out = Files.newOutputStream(conf)) {
      written.writeXml(out);
    }
  }

  /**
   * Carries out the chain. No daemon runs before; the last one is stopped and not deposed.
   *
   * @return the last one
   */
  FrozenDaemon run(List<Task> tasks) throws Exception {
    FrozenDaemon before = null;
    FrozenDaemon next = launch(tasks.get(0));
    for (int i = 0; i < tasks.size(); i++) {
      FrozenDaemon now = next;
      if (i + 1 < tasks.size()) {
        next = launch(tasks.get(i + 1));
      }
      now.freezeAtWork();
      if (before != null) {
        thaw(before);
      }
      recoverLease();
      before = now;
    }
    return before;
  }

  private FrozenDaemon launch(Task task) throws IOException {
    Path catalog = Files.createTempDirectory(folder, "catalog");
    try (Stream<Path> files = Files.list(journey.catalogFolder())) {
      for (Path file : files.toList()) {
        Files.copy(file, catalog.resolve(file.getFileName()));
      }
    }
    FrozenDaemon daemon = FrozenDaemon.launch(conf, catalog, folder, task);
    launched.add(daemon);
    return daemon;
  }

  /** The NameNode would let it be taken over after a minute. */
  private void recoverLease() throws IOException {
    Journey.until(() -> journey.hdfs.fileSystem().recoverLease(OWNER), () -> "a recovered lease");
  }

  /** Lets a daemon go on whose place another one has taken. */
  void thaw(FrozenDaemon daemon) throws Exception {
    daemon.awaitFrozenFor(NO_LONGER_BELIEVED);
    List<String> before = audit.lines();
    assertThat(before)
        .as("the owner file was taken by %s", daemon.task())
        .anyMatch(
            line ->
                line.contains("\tcmd=append\t")
                    && line.endsWith("\tcallerContext=" + daemon.callerContext()));
    Set<String> replicas = finishedReplicas();
    int exitCode = daemon.thaw();
    List<String> after = audit.lines();
    Set<String> deliveries = finishedReplicas();
    deliveries.removeAll(replicas);
    deposed.put(
        daemon.task(),
        new Deposed(
            daemon.output(),
            exitCode,
            after.subList(before.size(), after.size()).stream()
                .filter(AuditLogFile::isChange)
                .toList(),
            deliveries));
  }

  /** Nothing depends on the replicas of a draft. */
  private Set<String> finishedReplicas() throws IOException {
    Set<Long> blocks = new HashSet<>();
    RemoteIterator<LocatedFileStatus> files =
        journey.hdfs.fileSystem().listFiles(new org.apache.hadoop.fs.Path("/"), true);
    while (files.hasNext()) {
      String path = files.next().getPath().toUri().getPath();
      if (!copiedByHdfs.test(path) && !path.startsWith("/.raid/tmp/")) {
        journey
            .hdfs
            .fileSystem()
            .getClient()
            .getLocatedBlocks(path, 0, Long.MAX_VALUE)
            .getLocatedBlocks()
            .forEach(block -> blocks.add(block.getBlock().getBlockId()));
      }
    }
    Set<String> replicas = new HashSet<>();
    for (int node = 0; node < journey.hdfs.dataNodes().size(); node++) {
      for (Map.Entry<Long, Path> replica : journey.hdfs.replicaFiles(node).entrySet()) {
        if (blocks.contains(replica.getKey())
            && replica.getValue().toString().contains("/finalized/")) {
          replicas.add("blk_%d on DataNode %d".formatted(replica.getKey(), node));
        }
      }
    }
    return replicas;
  }

  /** It was deposed where it should have been, has changed nothing since, and has ended. */
  void assertChangedNothing(Task task) {
    Deposed it = deposed.get(task);
    assertThat(it).as("what is known of %s", task).isNotNull();
    assertThat(it.output())
        .contains("This process stops at " + task.where())
        .contains("Another RaidNode has taken over");
    assertThat(it.changes()).as("%s: %s", task, it.output()).isEmpty();
    assertThat(it.deliveries()).as("%s: %s", task, it.output()).isEmpty();
    assertThat(it.exitCode()).as("%s: %s", task, it.output()).isEqualTo(FrozenDaemon.DEPOSED);
  }

  @Override
  public void close() {
    launched.forEach(FrozenDaemon::close);
    audit.close();
  }
}
