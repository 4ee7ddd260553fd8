// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidnode.HdfsWiring;
import io.hdfsraid.raidnode.RaidNode;
import io.hdfsraid.raidnode.RunningRaidNode;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.schedule.JobReport;
import io.hdfsraid.tests.daemon.Shell.Answer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The daemon in this process beside an embedded HDFS, asked as an operator would. */
final class InProcessDaemon implements AutoCloseable {
  private final RunningRaidNode node;
  private final Shell shell;

  private InProcessDaemon(RunningRaidNode node) {
    this.node = node;
    this.shell = new Shell(node.address());
  }

  /**
   * Starts it.
   *
   * @param conf the folder of {@code raidnode.yml} and {@code policies.yml}
   */
  static InProcessDaemon start(Path conf, EmbeddedHdfs hdfs) throws Exception {
    return start(conf, hdfs.uri(), hdfs.configuration());
  }

  /**
   * Starts it.
   *
   * @param conf the folder of {@code raidnode.yml} and {@code policies.yml}
   * @param hadoop the configuration of the cluster
   */
  static InProcessDaemon start(Path conf, URI hdfs, Configuration hadoop) throws Exception {
    Clock clock = Clock.systemUTC();
    return new InProcessDaemon(
        RaidNode.start(
            SettingsFiles.read(conf.resolve("raidnode.yml"), clock),
            new HdfsWiring((settings, wired) -> HdfsCluster.connect(hdfs, hadoop, settings, wired)),
            clock));
  }

  /** Runs a command that is expected to end with this exit code. */
  Answer run(int exitCode, String... arguments) {
    Answer answer = shell.run(arguments);
    assertThat(answer.exitCode()).as("%s: %s", List.of(arguments), answer).isEqualTo(exitCode);
    return answer;
  }

  /** Runs a command, however it ends. */
  Answer ask(String... arguments) {
    return shell.run(arguments);
  }

  URI address() {
    return node.address();
  }

  RaidNodeClient client() {
    return RaidNodeClient.at(node.address());
  }

  /** Runs a job from beginning to end. */
  void runJob(String job) throws Exception {
    runJob(job, Until.LONGEST);
  }

  /** Runs a job from beginning to end, which may take so long. */
  void runJob(String job, Duration longest) throws Exception {
    Instant asked = Instant.now();
    Until.holds(() -> node.daemon().schedule().runNow(job), longest, () -> "to start " + job);
    Until.holds(() -> hasRunSince(job, asked), longest, () -> "the end of " + job);
  }

  private boolean hasRunSince(String job, Instant asked) {
    JobReport report = node.daemon().schedule().find(job).orElseThrow();
    return !report.running() && report.lastStart().filter(at -> !at.isBefore(asked)).isPresent();
  }

  /** Reconciles the files under way until so many below a path are in a state. */
  void awaitState(String path, int files, FileState state) throws Exception {
    Until.holds(
        () -> {
          runJob("reconcile");
          return client().files(path, Optional.of(state), Paging.FIRST).items().size() == files;
        },
        () -> state + ": " + ask("files", path) + ask("history", path));
  }

  @Override
  public void close() {
    node.close();
  }
}
