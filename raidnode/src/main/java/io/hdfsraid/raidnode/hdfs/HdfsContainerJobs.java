// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.blockfixer.hdfs.BlockKeyTokens;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.DraftLoan;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.ContainerJobs;
import io.hdfsraid.yarn.job.EncodeJob;
import io.hdfsraid.yarn.job.EncodeJobs;
import io.hdfsraid.yarn.work.StripeAnswer;
import io.hdfsraid.yarn.work.StripeWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/** Jobs on the YARN that the configuration of this process names. */
final class HdfsContainerJobs implements ContainerJobs {
  private final EncodeJobs jobs;
  private final ClusterAccess cluster;
  private final BlockKeyTokens tokens;
  private final String tag;
  private final Limits limits;

  /**
   * @param tag by which the jobs of this root are known
   */
  HdfsContainerJobs(
      EncodeJobs jobs, ClusterAccess cluster, BlockKeyTokens tokens, String tag, Limits limits) {
    this.jobs = jobs;
    this.cluster = cluster;
    this.tokens = tokens;
    this.tag = tag;
    this.limits = limits;
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
    Token<BlockTokenIdentifier> token =
        tokens.read(HadoopTypes.extendedBlock(cluster.blockPool(), block));
    try {
      return token.getIdentifier().length == 0 ? "" : token.encodeToUrlString();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it is written to memory
    }
  }

  @Override
  public Running submit(List<StripeWork> stripes, long bytesPerSecond) throws IOException {
    List<StripeWork> permitted = stripes.stream().map(this::withTokens).toList();
    DraftLoan workspace = cluster.parity().workspace(jobs.user());
    try {
      EncodeJob job = jobs.submit(workspace.directory(), tag, permitted, racks(), bytesPerSecond);
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

  private StripeWork withTokens(StripeWork work) {
    return work.from(
        work.data().stream()
            .map(
                unit ->
                    new StripeWork.Source(unit.block(), unit.replicas(), readToken(unit.block())))
            .toList());
  }

  private Map<String, String> racks() throws IOException {
    return cluster.namespace().nodes().stream()
        .map(NodeState::node)
        .collect(
            Collectors.toMap(HdfsContainerJobs::ip, DataNode::rack, (one, sameMachine) -> one));
  }

  private static String ip(DataNode node) {
    return node.address().substring(0, node.address().lastIndexOf(':'));
  }

  @Override
  public EncodeJobs.Ended endFormer() throws IOException {
    return jobs.killAll(tag);
  }

  private record InWorkspace(EncodeJob job, DraftLoan workspace) implements Running {
    @Override
    public String application() {
      return job.application();
    }

    @Override
    public String trackingUrl() {
      return job.trackingUrl();
    }

    @Override
    public EncodeJob.Status status() throws IOException {
      return job.status();
    }

    @Override
    public List<StripeAnswer> answers() throws IOException {
      return job.answers();
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
