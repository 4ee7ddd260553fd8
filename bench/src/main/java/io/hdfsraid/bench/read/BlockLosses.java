// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.embedded.EmbeddedNode;
import io.hdfsraid.embedded.Pause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * Makes files lose one data block of each stripe: its replica vanishes from the disk, and the
 * DataNode notices and tells the NameNode. HDFS's own striped files lose one internal block of each
 * block group in the same way, as if one DataNode were dead for them.
 */
final class BlockLosses {
  /** Index of the lost block in its stripe, unless the stripe has only one. */
  static final int LOST = 1;

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  private final EmbeddedHdfs hdfs;

  /** The ids of the blocks that each file has lost. */
  private final Map<Path, Set<Long>> losses = new HashMap<>();

  BlockLosses(EmbeddedHdfs hdfs) {
    this.hdfs = hdfs;
  }

  /**
   * Loses blocks of a file with one replica.
   *
   * @param stripes of which each loses one block; neighbours may have exchanged blocks
   */
  ReadFile ofRaided(Path file, List<Stripe> stripes) throws IOException {
    Set<Long> losing =
        stripes.stream()
            .map(stripe -> stripe.data().get(Math.min(LOST, stripe.data().size() - 1)))
            .map(unit -> unit.block().id())
            .collect(Collectors.toSet());
    List<LostRange> lost = new ArrayList<>();
    for (LocatedBlock block : blocks(file)) {
      if (!losing.contains(block.getBlock().getBlockId())) {
        continue;
      }
      for (DatanodeInfo node : block.getLocations()) {
        hdfs.deleteReplica(block.getBlock().getBlockId(), node(node));
      }
      lost.add(
          new LostRange(block.getStartOffset(), block.getStartOffset() + block.getBlockSize()));
    }
    losses.put(file, losing);
    return new ReadFile(file, length(file), lost);
  }

  /** Loses internal blocks of a file of HDFS's own erasure coding. */
  ReadFile ofStriped(Path file, StripedPolicy policy) throws IOException {
    long length = length(file);
    long cell = policy.cellBytes();
    List<LostRange> lost = new ArrayList<>();
    Set<Long> losing = new HashSet<>();
    for (LocatedBlock group : blocks(file)) {
      if (group.getBlockSize() <= LOST * cell) {
        continue; // the last one is too short to have that block
      }
      LocatedStripedBlock striped = (LocatedStripedBlock) group;
      losing.add(internalBlock(striped, LOST));
      hdfs.deleteReplica(internalBlock(striped, LOST), node(location(striped, LOST)));
      long end = Math.min(length, striped.getStartOffset() + striped.getBlockSize());
      for (long from = striped.getStartOffset() + LOST * cell;
          from < end;
          from += policy.shape().dataUnits() * cell) {
        lost.add(new LostRange(from, Math.min(from + cell, end)));
      }
    }
    losses.put(file, losing);
    return new ReadFile(file, length, lost);
  }

  static long internalBlock(LocatedStripedBlock group, int index) {
    return group.getBlock().getBlockId() + index;
  }

  private static DatanodeInfo location(LocatedStripedBlock group, int index) throws IOException {
    for (int i = 0; i < group.getBlockIndices().length; i++) {
      if (group.getBlockIndices()[i] == index) {
        return group.getLocations()[i];
      }
    }
    throw new IOException("No DataNode has internal block %d of %s".formatted(index, group));
  }

  private int node(DatanodeInfo node) {
    return hdfs.dataNodeAt(node.getXferAddr()).index();
  }

  private long length(Path file) throws IOException {
    return hdfs.fileSystem().getFileStatus(file).getLen();
  }

  /** Returns the blocks of a file, or its block groups. */
  List<LocatedBlock> blocks(Path file) throws IOException {
    return hdfs.fileSystem()
        .getClient()
        .getLocatedBlocks(file.toString(), 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  /**
   * Returns when the NameNode knows of all losses. A DataNode that still has a replica, which was
   * moved there meanwhile, loses it, too. What a directory scan has found missing does not always
   * reach the NameNode; a full report does.
   */
  void report() throws IOException {
    long end = System.nanoTime() + LIMIT.toNanos();
    for (EmbeddedNode node : hdfs.dataNodes()) {
      hdfs.runDirectoryScanner(node.index());
    }
    hdfs.triggerHeartbeats();
    for (Path file : losses.keySet()) {
      Set<Integer> holders = holders(file);
      while (!holders.isEmpty()) {
        if (System.nanoTime() > end) {
          throw new IOException(
              "After %d s the NameNode lists replicas on DataNodes %s, but %s has lost them: %s"
                  .formatted(LIMIT.toSeconds(), holders, file, blocks(file)));
        }
        Pause.of(LOOK_AGAIN);
        for (int node : holders) {
          for (long id : losses.get(file)) {
            if (hdfs.replicaFiles(node).containsKey(id)) {
              hdfs.deleteReplica(id, node);
            }
          }
          hdfs.runDirectoryScanner(node);
        }
        hdfs.triggerBlockReports();
        holders = holders(file);
      }
    }
  }

  /** Returns the DataNodes on which the NameNode lists what the file has lost. */
  private Set<Integer> holders(Path file) throws IOException {
    Set<Integer> holders = new HashSet<>();
    for (LocatedBlock block : blocks(file)) {
      if (block instanceof LocatedStripedBlock group) {
        if (losses.get(file).contains(internalBlock(group, LOST)) && has(group, LOST)) {
          holders.add(node(location(group, LOST)));
        }
      } else if (losses.get(file).contains(block.getBlock().getBlockId())) {
        for (DatanodeInfo node : block.getLocations()) {
          holders.add(node(node));
        }
      }
    }
    return holders;
  }

  private static boolean has(LocatedStripedBlock group, int index) {
    for (byte there : group.getBlockIndices()) {
      if (there == index) {
        return true;
      }
    }
    return false;
  }
}
