// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.blockfixer.hdfs.BlockKeyTokens;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.DraftLoan;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.yarn.job.StripeJob;
import io.hdfsraid.yarn.job.StripeJobs;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.EncodeWork;
import io.hdfsraid.yarn.work.RepairWork;
import io.hdfsraid.yarn.work.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/** Jobs on the YARN that the configuration of this process names. */
final class HdfsContainerJobs implements ContainerJobs {
  private final Kind kind;
  private final StripeJobs jobs;
  private final ClusterAccess cluster;
  private final BlockKeyTokens tokens;
  private final String tag;
  private final Limits limits;

  /**
   * @param tag by which the jobs of this kind and this root are known
   */
  HdfsContainerJobs(
      Kind kind,
      StripeJobs jobs,
      ClusterAccess cluster,
      BlockKeyTokens tokens,
      String tag,
      Limits limits) {
    this.kind = kind;
    this.jobs = jobs;
    this.cluster = cluster;
    this.tokens = tokens;
    this.tag = tag;
    this.limits = limits;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public String user() {
    return jobs.user();
  }

  private String readToken(Block block) {
    return encoded(tokens.read(HadoopTypes.extendedBlock(cluster.blockPool(), block)));
  }

  private String writeToken(RepairWork.Target target) {
    return encoded(
        tokens.write(
            HadoopTypes.extendedBlock(cluster.blockPool(), target.block()),
            StorageType.parseStorageType(target.storageType())));
  }

  private static String encoded(Token<BlockTokenIdentifier> token) {
    try {
      return token.getIdentifier().length == 0 ? "" : token.encodeToUrlString();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it is written to memory
    }
  }

  @Override
  public int dataNodes() throws IOException {
    return cluster.namespace().nodes().size();
  }

  @Override
  public Running submit(List<? extends Work> stripes, int containers, long bytesPerSecond)
      throws IOException {
    List<Work> permitted = stripes.stream().map(this::permitted).toList();
    DraftLoan workspace = cluster.parity().workspace(jobs.user());
    try {
      StripeJob job =
          jobs.submit(
              "HDFS-RAID: %s %d stripes".formatted(kind, stripes.size()),
              workspace.directory(),
              tag,
              permitted,
              cluster.namespace().nodes().stream().map(NodeState::node).toList(),
              containers,
              bytesPerSecond);
      return new InWorkspace(job, workspace);
    } catch (IOException | RuntimeException e) {
      try {
        workspace.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private Work permitted(Work work) {
    if (work instanceof RepairWork repair) {
      return repair.permitted(this::readToken, this::writeToken);
    }
    EncodeWork encode = (EncodeWork) work;
    return encode.from(
        encode.data().stream().map(unit -> unit.with(readToken(unit.block()))).toList());
  }

  @Override
  public StripeJobs.Ended endFormer() throws IOException {
    return jobs.killAll(tag);
  }

  private record InWorkspace(StripeJob job, DraftLoan workspace) implements Running {
    @Override
    public String application() {
      return job.application();
    }

    @Override
    public String trackingUrl() {
      return job.trackingUrl();
    }

    @Override
    public StripeJob.Status status() throws IOException {
      return job.status();
    }

    @Override
    public List<Answer> answers() throws IOException {
      return job.answers();
    }

    @Override
    public void tell(int order, String attempt, int unit) throws IOException {
      job.tell(order, attempt, unit);
    }

    @Override
    public void tellToDrop(int order, String attempt) throws IOException {
      job.tellToDrop(order, attempt);
    }

    @Override
    public void limit(long bytesPerSecond) throws IOException {
      job.limit(bytesPerSecond);
    }

    @Override
    public void kill() throws IOException {
      job.kill();
    }

    @Override
    public void close() throws IOException {
      try {
        job.close();
      } finally {
        workspace.close();
      }
    }
  }
}
