// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.recency.RecencyOptions;
import io.hdfsraid.recency.auditlog.AuditLogSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a daemon has of the recency of files, by the image and the edit log, and nothing that runs
 * by itself. Whoever starts another with the same folder has the daemon after a restart.
 */
final class FollowingDaemon implements AutoCloseable {
  private final HdfsCluster cluster;
  private final Catalog catalog;
  private final JobWiring jobs;

  FollowingDaemon(EmbeddedHdfs hdfs, Path folder) throws IOException {
    this(hdfs, folder, Duration.ofDays(7), Optional.empty());
  }

  /**
   * @param rereadAfter the age at which an image is replaced by a newer one
   */
  FollowingDaemon(
      EmbeddedHdfs hdfs, Path folder, Duration rereadAfter, Optional<AuditLogSettings> auditLogs)
      throws IOException {
    Clock clock = Clock.systemUTC();
    cluster =
        HdfsCluster.connect(hdfs.uri(), hdfs.configuration(), ParitySettings.defaults(), clock);
    catalog = Catalog.open(folder.resolve("catalog"), clock);
    JobSettings usual = JobSettings.defaults();
    jobs =
        JobWiring.of(
            cluster,
            catalog,
            new Policies(List.of(), List.of(), 0),
            new JobSettings(
                usual.root(),
                usual.tuning(),
                usual.rowMemory(),
                usual.movesPerNode(),
                1_000,
                usual.polling(),
                usual.dataNodeTimeout(),
                usual.repairAttempts(),
                usual.limits(),
                Duration.ofHours(1),
                usual.repair(),
                usual.storm(),
                usual.scrub(),
                usual.history(),
                usual.lostParity(),
                new RecencyOptions(
                    RecencyOptions.Mode.IMAGE,
                    rereadAfter,
                    folder.resolve("images"),
                    Optional.empty(),
                    auditLogs,
                    usual.root()),
                usual.readerLocation()),
            JobListeners.NONE,
            clock);
  }

  HdfsCluster cluster() {
    return cluster;
  }

  Catalog catalog() {
    return catalog;
  }

  JobWiring jobs() {
    return jobs;
  }

  void follow() throws IOException, InterruptedException {
    jobs.select().recency().follow();
  }

  /** Of all files that the index has. */
  Set<String> paths() {
    Set<String> paths = new TreeSet<>();
    OptionalLong unused =
        catalog.namespace().page(Long.MIN_VALUE, Integer.MAX_VALUE, file -> paths.add(file.path()));
    return paths;
  }

  @Override
  public void close() throws IOException {
    jobs.close();
    catalog.close();
    cluster.close();
  }
}
