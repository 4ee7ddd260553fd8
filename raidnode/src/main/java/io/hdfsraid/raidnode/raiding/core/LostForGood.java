// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.blockfixer.detect.DetachedBlocks;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.KnownFaults;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeJudge;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.UnresponsiveNode;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * Finds the blocks that have no replica and that nothing in the cluster can rebuild now. In doubt a
 * block is not among them: if a unit of its stripe was changed and may still exist somewhere, or if
 * NameNode and DataNodes disagree. The answer holds for this moment, because a DataNode may come
 * back.
 */
public final class LostForGood {
  /** What a DataNode holds that has been silent for so long is not known until it is dead. */
  private static final Duration SILENCE = Duration.ofMinutes(1);

  private final Namespace namespace;
  private final IntegrityCheck check;

  /**
   * @param io runs the requests to DataNodes; its threads must not call this object
   */
  public LostForGood(ClusterAccess cluster, StripeLocator locator, Executor io) {
    this.namespace = cluster.namespace();
    this.check =
        new IntegrityCheck(
            cluster.namespace(),
            locator,
            cluster.dataNodes(),
            KnownFaults.NONE,
            new AskedByNumber(cluster.holders()),
            io);
  }

  /** Knows whether blocks exist, and not where. */
  private record AskedByNumber(BlockHolders holders) implements DetachedBlocks {
    @Override
    public Set<Long> existing(Collection<Long> blockIds) throws IOException {
      return holders.holders(blockIds).keySet();
    }

    @Override
    public Map<Block, LocatedBlock> locate(Collection<Block> blocks) {
      return Map.of();
    }
  }

  /**
   * Returns the ids of the abandoned blocks that are still lost for good. A DataNode that came back
   * may have made the others recoverable.
   */
  public Set<Long> abandoned(ParityFile parity) throws IOException {
    Set<Long> ids = parity.abandoned().ids();
    Manifest manifest = parity.manifest();
    Set<Long> members =
        manifest.members().stream()
            .map(Member::inode)
            .filter(
                member -> manifest.blocksOf(member).stream().anyMatch(b -> ids.contains(b.id())))
            .collect(Collectors.toSet());
    Set<Long> blocks = new HashSet<>();
    if (!members.isEmpty()) {
      of(parity, members).values().forEach(blocks::addAll);
      blocks.retainAll(ids);
    }
    return blocks;
  }

  /** Returns why it is not known now which blocks are lost; empty if it is known. */
  public Optional<String> unknownBecause() throws IOException {
    List<UnresponsiveNode> silent = namespace.staleNodes(SILENCE);
    return silent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%d DataNodes have been silent for a minute, so it is not known what is lost; wait until they answer or the NameNode declares them dead"
                .formatted(silent.size()));
  }

  /**
   * Returns why what was found at that time is no reason to delete parity now: a DataNode is silent
   * or has died since, so units that were there may be missing for a while only.
   */
  public Optional<String> doubtfulBecause(Instant confirmed) throws IOException {
    Optional<String> unknown = unknownBecause();
    if (unknown.isPresent()) {
      return unknown;
    }
    return namespace.deadNodes().stream()
        .filter(node -> node.lastHeard().isAfter(confirmed.minus(SILENCE)))
        .findFirst()
        .map(
            node ->
                "DataNode %s has died since blocks were abandoned at %s, so they may come back; bring it back, or take it off the NameNode's list of nodes"
                    .formatted(node.node(), confirmed));
  }

  /**
   * Returns the ids of the lost blocks of each member that has any.
   *
   * @param members inode ids
   */
  public Map<Long, Set<Long>> of(ParityFile parity, Set<Long> members) throws IOException {
    Map<Long, Set<Long>> blocks = new HashMap<>();
    Manifest manifest = parity.manifest();
    for (LocatedStripe stripe : check.locate(parity, members)) {
      if (stripe.lost().isEmpty() || !isBeyondRepair(stripe)) {
        continue;
      }
      List<DataUnit> data = manifest.stripes().get(stripe.index()).data();
      for (int unit = 0; unit < data.size(); unit++) {
        long member = manifest.members().get(data.get(unit).member()).inode();
        if (members.contains(member)
            && stripe.lost().contains(unit)
            && !isDetermined(stripe, unit)) {
          blocks.computeIfAbsent(member, none -> new HashSet<>()).add(data.get(unit).block().id());
        }
      }
    }
    return blocks;
  }

  private boolean isBeyondRepair(LocatedStripe stripe) throws IOException {
    // A DataNode that does not answer for a moment makes a stripe unrecoverable for the check; by
    // the NameNode's word alone it is not.
    return StripeJudge.judge(stripe, List.of()).state() != StripeHealth.State.DEGRADED
        && check.check(stripe).state() == StripeHealth.State.UNRECOVERABLE;
  }

  /** The units that are left may determine one of the lost units and not the others. */
  private static boolean isDetermined(LocatedStripe stripe, int unit) {
    ErasureCodec codec = stripe.codec();
    return codec.recipe(UnitSet.of(unit), stripe.available(), ReadCost.UNIFORM).isPresent();
  }
}
