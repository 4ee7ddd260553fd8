// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.engine;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.DraftLoan;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.yarn.job.StripeJob.Stage;
import io.hdfsraid.yarn.job.StripeJob.Status;
import io.hdfsraid.yarn.job.StripeJobFiles;
import io.hdfsraid.yarn.job.StripeJobs;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Runs the tasks of jobs by threads of this process, with MapReduce's local runner. Each is held to
 * the rate of one slow link.
 */
final class LocalRunnerJobs implements ContainerJobs {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int MOST_AT_ONCE = 1_000;

  private final Kind kind;
  private final BenchCluster bench;
  private final ClusterAccess cluster;
  private final Path folder;
  private final int containers;
  private final long bytesPerJob;

  /**
   * @param folder for the files of MapReduce
   * @param containers tasks that run at the same time
   * @param bytesPerJob as soon as so many bytes wait, they are submitted
   */
  LocalRunnerJobs(
      Kind kind,
      BenchCluster bench,
      ClusterAccess cluster,
      Path folder,
      int containers,
      long bytesPerJob) {
    this.kind = kind;
    this.bench = bench;
    this.cluster = cluster;
    this.folder = folder;
    this.containers = containers;
    this.bytesPerJob = bytesPerJob;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public Limits limits() {
    return new Limits(MOST_AT_ONCE, 1, bytesPerJob, Duration.ofSeconds(2), containers, PATIENCE);
  }

  @Override
  public String user() {
    try {
      return UserGroupInformation.getCurrentUser().getShortUserName();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int dataNodes() {
    return bench.settings().dataNodes();
  }

  @Override
  public Running submit(List<? extends Work> stripes, int most, long bytesPerSecond)
      throws IOException {
    DraftLoan workspace = cluster.parity().workspace(user());
    Configuration conf = new Configuration(bench.hdfs().configuration());
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.local.map.tasks.maximum", containers);
    conf.set("hadoop.tmp.dir", folder.toString());
    conf.set("mapreduce.cluster.local.dir", folder.resolve("local").toString());
    conf.set("mapreduce.jobtracker.staging.root.dir", folder.resolve("staging").toUri().toString());
    conf.setInt("mapreduce.fileoutputcommitter.algorithm.version", 2);
    long bytes = stripes.stream().mapToLong(Work::bytes).sum();
    long bytesPerTask = (bytes + containers - 1) / containers;
    FileSystem fileSystem = FileSystem.newInstance(conf);
    try {
      StripeJobFiles files = new StripeJobFiles(fileSystem, workspace.directory());
      Job job =
          files.prepare(
              conf,
              "bench: %s".formatted(kind),
              stripes,
              cluster.blockPool(),
              cluster.namespace().nodes().stream().map(NodeState::node).toList(),
              bytesPerTask,
              bytesPerSecond);
      job.submit();
      return new Runner(job, files, fileSystem, workspace);
    } catch (IOException | InterruptedException | ClassNotFoundException | RuntimeException e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      try (workspace) {
        fileSystem.close();
      }
      throw new IOException("The job could not be submitted", e);
    }
  }

  @Override
  public StripeJobs.Ended endFormer() {
    return new StripeJobs.Ended(0, List.of());
  }

  private final class Runner implements Running {
    private final Job job;
    private final StripeJobFiles files;
    private final FileSystem fileSystem;
    private final DraftLoan workspace;

    Runner(Job job, StripeJobFiles files, FileSystem fileSystem, DraftLoan workspace) {
      this.job = job;
      this.files = files;
      this.fileSystem = fileSystem;
      this.workspace = workspace;
    }

    @Override
    public String application() {
      return job.getJobID().toString();
    }

    @Override
    public String trackingUrl() {
      return "";
    }

    @Override
    public Status status() throws IOException {
      boolean ended = job.isComplete();
      return new Status(
          ended ? Stage.ENDED : Stage.RUNNING,
          ended ? 1 : job.mapProgress(),
          ended ? 0 : containers,
          ended && !job.isSuccessful() ? "A task has failed" : "");
    }

    @Override
    public List<Answer> answers() throws IOException {
      return files.answers();
    }

    @Override
    public void tell(int order, String attempt, int unit) throws IOException {
      files.tell(order, attempt, unit);
    }

    @Override
    public void tellToDrop(int order, String attempt) throws IOException {
      files.tellToDrop(order, attempt);
    }

    @Override
    public void limit(long bytesPerSecond) throws IOException {
      files.limit(bytesPerSecond);
    }

    @Override
    public void kill() throws IOException {
      job.killJob();
    }

    @Override
    public void close() throws IOException {
      try {
        workspace.close();
      } finally {
        fileSystem.close();
        job.close();
      }
    }
  }
}
