// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Checks whether a source is fit to be raided, and whether it still matches the manifest. */
public final class SourceCheck {
  private final Namespace namespace;

  public SourceCheck(Namespace namespace) {
    this.namespace = namespace;
  }

  /** Returns the file as it is now if it is fit to be encoded. */
  public LocatedFile pin(long inode, Protection protection, ErasureCodec codec)
      throws IOException, LeftAlone {
    LocatedFile source =
        namespace
            .file(inode)
            .orElseThrow(
                () -> new LeftAlone(Reason.GONE, "There is no live file with inode id " + inode));
    if (source.striped()) {
      throw new LeftAlone(Reason.STRIPED, "HDFS's own striped erasure coding protects it already");
    }
    requireClosed(source);
    if (source.blocks().isEmpty()) {
      throw new LeftAlone(Reason.EMPTY, "It has no blocks");
    }
    if (source.replication() <= protection.targetReplication()) {
      throw new LeftAlone(
          Reason.REPLICATION_AT_TARGET,
          "Its replication is %d and would be lowered to %d"
              .formatted(source.replication(), protection.targetReplication()));
    }
    requireAlive(source);
    int dataUnits = Math.min(codec.shape().dataUnits(), source.blocks().size());
    int needed = dataUnits + codec.shape().parityUnits();
    List<NodeState> inService = namespace.nodes().stream().filter(NodeState::inService).toList();
    if (inService.size() < needed) {
      throw new LeftAlone(
          Reason.TOO_FEW_NODES,
          "A stripe of %s with %d data units needs %d DataNodes in service, but there are %d"
              .formatted(codec.name(), dataUnits, needed, inService.size()));
    }
    requireRoom(source, protection, codec, inService);
    return source;
  }

  /** Parity lies beside all replicas for a while before it replaces some. */
  private static void requireRoom(
      LocatedFile source, Protection protection, ErasureCodec codec, List<NodeState> inService)
      throws LeftAlone {
    long longest = source.contents().stream().mapToLong(Block::length).max().orElse(0);
    long unit = codec.parityLength(longest);
    int m = codec.shape().parityUnits();
    long withRoom = inService.stream().filter(node -> node.remaining() > unit).count();
    if (withRoom < m) {
      throw new LeftAlone(
          Reason.NOT_ENOUGH_SPACE,
          "%d DataNodes in service have room for a parity unit of %d bytes, but a stripe of %s needs %d"
              .formatted(withRoom, unit, codec.name(), m));
    }
    long parity =
        Forecast.of(source.contents(), source.replication(), codec, protection).bytesToWrite();
    long free = inService.stream().mapToLong(NodeState::remaining).sum();
    if (free < parity) {
      throw new LeftAlone(
          Reason.NOT_ENOUGH_SPACE,
          "Its parity takes %d bytes before replicas go, but %d are free".formatted(parity, free));
    }
  }

  /**
   * The member of the manifest, seen unchanged, closed and with every block alive in one fresh
   * answer.
   */
  public LocatedFile unchanged(long inode, Manifest manifest) throws IOException, LeftAlone {
    LocatedFile source =
        namespace
            .file(inode)
            .orElseThrow(
                () ->
                    new LeftAlone(
                        Reason.CHANGED_WHILE_ENCODING,
                        "Its inode is gone: deleted, overwritten or concatenated"));
    if (!matches(source, manifest)) {
      throw new LeftAlone(
          Reason.CHANGED_WHILE_ENCODING, "Its blocks are not the ones that were encoded any more");
    }
    if (source.replication() != manifest.originalReplication()
        && source.replication() != manifest.targetReplication()) {
      throw new LeftAlone(
          Reason.REPLICATION_CHANGED,
          "Its replication was %d when it was encoded and is %d now"
              .formatted(manifest.originalReplication(), source.replication()));
    }
    requireClosed(source);
    requireAlive(source);
    return source;
  }

  /** The file consists of exactly the blocks that the manifest names for it. */
  public static boolean matches(LocatedFile source, Manifest manifest) {
    List<Block> recorded = new ArrayList<>();
    for (Stripe stripe : manifest.stripes()) {
      for (DataUnit unit : stripe.data()) {
        if (manifest.members().get(unit.member()).inode() == source.inode()) {
          recorded.add(unit.block());
        }
      }
    }
    boolean sameLength = manifest.members().contains(new Member(source.inode(), source.length()));
    return sameLength
        && recorded.size() == source.blocks().size()
        && new HashSet<>(recorded).equals(new HashSet<>(source.contents()));
  }

  private static void requireClosed(LocatedFile source) throws LeftAlone {
    if (source.underConstruction()) {
      throw new LeftAlone(Reason.UNDER_CONSTRUCTION, "It is open for writing");
    }
  }

  private static void requireAlive(LocatedFile source) throws LeftAlone {
    for (LocatedBlock block : source.blocks()) {
      if (block.live().stream().noneMatch(Replica::inService)) {
        throw new LeftAlone(
            Reason.MISSING_BLOCKS,
            "%s has no live replica on a node in service".formatted(block.block()));
      }
    }
  }
}
