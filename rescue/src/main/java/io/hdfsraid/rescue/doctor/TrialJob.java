// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.yarn.job.ContainerSettings;
import io.hdfsraid.yarn.job.StripeJob;
import io.hdfsraid.yarn.job.StripeJobs;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.Answer.Encoded;
import io.hdfsraid.yarn.work.Answer.Failed;
import io.hdfsraid.yarn.work.EncodeWork;
import io.hdfsraid.yarn.work.Source;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A job of one container that encodes a small file, as the daemon's jobs do. The job is ended and
 * its files are deleted, whatever came of it.
 */
final class TrialJob {
  private static final String NAME = "YARN: trial job";
  private static final int BYTES = 64 << 10;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration UNTIL_KILLED = Duration.ofSeconds(30);
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  private static final FsPermission PASSED_BY_ALL = new FsPermission((short) 0711);
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

  /** The parity of one block alone is a copy of it. */
  private static final String CODEC = "xor-10-1";

  private final Configuration hadoop;
  private final ContainerSettings settings;
  private final Duration patience;
  private final PrintWriter news;

  /**
   * @param patience how long to wait for a ResourceManager that does not answer
   * @param news told what is waited for
   */
  TrialJob(Configuration hadoop, ContainerSettings settings, Duration patience, PrintWriter news) {
    this.hadoop = hadoop;
    this.settings = settings;
    this.patience = patience;
    this.news = news;
  }

  CheckResult run() {
    Configuration conf = new Configuration(hadoop);
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    Path folder = new Path("/hdfs-raid-trial-" + UUID.randomUUID());
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      CheckResult result = run((DistributedFileSystem) fs, folder);
      boolean recursive = true;
      if (!fs.delete(folder, recursive)) {
        return CheckResult.warn(NAME, folder + " could not be deleted", "Delete it.");
      }
      return result;
    } catch (IOException | RuntimeException e) {
      return CheckResult.warn(
          NAME,
          "It could not be run: " + io.hdfsraid.rescue.doctor.Answer.firstLine(e),
          "Its files are in %s, if they could not be deleted. docs/yarn.md says what the cluster must have."
              .formatted(folder));
    }
  }

  private CheckResult run(DistributedFileSystem fs, Path folder) throws IOException {
    boolean made = fs.mkdirs(folder) && fs.deleteOnExit(folder);
    if (!made) {
      throw new IOException(folder + " could not be made");
    }
    fs.setPermission(folder, PASSED_BY_ALL); // whatever the umask is: the job works below
    Path file = new Path(folder, "file");
    byte[] bytes = new byte[BYTES];
    new Random().nextBytes(bytes);
    try (OutputStream out = fs.create(file)) {
      out.write(bytes);
    }
    LocatedBlock block = fs.getClient().getLocatedBlocks(file.toString(), 0, BYTES).get(0);
    StripeJobs jobs = new StripeJobs(hadoop, block.getBlock().getBlockPoolId(), settings, patience);
    Path workspace = forUser(fs, new Path(folder, "job"), jobs.user());
    Path parity = forUser(fs, new Path(folder, "parity"), jobs.user());
    List<DataNode> nodes = new HdfsNamespace(fs).nodes().stream().map(NodeState::node).toList();
    EncodeWork work =
        new EncodeWork(
            0,
            parity.toString(),
            0,
            CODEC,
            List.of(source(block)),
            List.of(nodes.get(0).address()),
            BYTES);
    String tag = "hdfs-raid-trial";
    int containers = 1;
    long unlimited = 0;
    long start = System.nanoTime();
    try (StripeJob job =
        jobs.submit(
            "HDFS-RAID: trial",
            workspace.toString(),
            tag,
            List.of(work),
            nodes,
            containers,
            unlimited)) {
      news.println("%s waits for a container".formatted(job.application()));
      news.flush();
      Thread killer = new Thread(() -> end(job));
      Runtime.getRuntime().addShutdownHook(killer);
      try {
        return follow(job, start);
      } finally {
        end(job);
        boolean unused = Runtime.getRuntime().removeShutdownHook(killer);
      }
    }
  }

  private static Path forUser(DistributedFileSystem fs, Path directory, String user)
      throws IOException {
    boolean unused = fs.mkdirs(directory, OWNER_ONLY);
    String sameGroup = null;
    fs.setOwner(directory, user, sameGroup);
    return directory;
  }

  private static Source source(LocatedBlock block) throws IOException {
    String token =
        block.getBlockToken().getIdentifier().length == 0
            ? ""
            : block.getBlockToken().encodeToUrlString();
    io.hdfsraid.drfs.block.LocatedBlock located = HadoopTypes.locatedBlock(block);
    return new Source(located.block(), located.live(), token);
  }

  /** Returns nothing while YARN does not answer, which may pass. */
  private static Optional<StripeJob.Status> status(StripeJob job) {
    try {
      return Optional.of(job.status());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean hasEnded(StripeJob job) {
    return status(job).filter(status -> status.stage() == StripeJob.Stage.ENDED).isPresent();
  }

  /** Waits until nothing can write any more, so that what is deleted stays deleted. */
  private static void end(StripeJob job) {
    try {
      if (!hasEnded(job)) {
        job.kill();
        boolean unused = Polling.every(UNTIL_KILLED, LOOK_AGAIN).until(() -> hasEnded(job));
      }
    } catch (IOException e) {
      // YARN does not answer. The job fails by itself when its directory is deleted.
    }
  }

  private static CheckResult follow(StripeJob job, long start) throws IOException {
    boolean ended = Polling.every(PATIENCE, LOOK_AGAIN).until(() -> hasEnded(job));
    Optional<StripeJob.Status> last = status(job);
    String said =
        last.map(status -> status.diagnostics().lines().findFirst().orElse(""))
            .orElse("YARN does not answer");
    if (!ended) {
      return CheckResult.warn(
          NAME,
          "%s did not end within %d minutes, it is %s: %s"
              .formatted(
                  job.application(),
                  PATIENCE.toMinutes(),
                  last.map(status -> status.stage().name()).orElse("UNKNOWN"),
                  said),
          "If it waits, look at the queue. The daemon does the work itself when a job waits longer"
              + " than yarn.patience.");
    }
    List<String> failures = new ArrayList<>();
    for (Answer answer : job.answers()) {
      if (answer instanceof Encoded encoded && encoded.parityCrcs().equals(encoded.dataCrcs())) {
        return CheckResult.ok(
            NAME,
            "%s read a block and wrote its parity, in %d s"
                .formatted(
                    job.application(), Duration.ofNanos(System.nanoTime() - start).toSeconds()));
      }
      failures.add(answer instanceof Failed failed ? failed.why() : answer.toString());
    }
    return CheckResult.warn(
        NAME,
        "%s encoded nothing: %s"
            .formatted(job.application(), failures.isEmpty() ? said : String.join("; ", failures)),
        "Look at the log of its container: %s".formatted(job.trackingUrl()));
  }
}
