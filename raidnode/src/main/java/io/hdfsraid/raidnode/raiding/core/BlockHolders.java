// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;

/**
 * Finds the files that still hold blocks, by block id. This question is the only one whose answer
 * covers snapshots and moved blocks. The answer also tells replicas that will stay from replicas
 * that are condemned.
 */
@FunctionalInterface
public interface BlockHolders {

  /**
   * The file that holds each block. A block is left out only when the NameNode said that it does
   * not exist. Takes the NameNode's global read lock: ask for doubtful blocks, not for all.
   *
   * @throws IOException when there was no clear answer, which proves nothing
   */
  Map<Long, Holder> holders(Collection<Long> blockIds) throws IOException;

  /**
   * A file, live or in a snapshot, that holds a block.
   *
   * @param path as the NameNode prints it; can be stale when only a snapshot holds the block, and
   *     is a bare name if the file was renamed after the snapshot and then deleted
   * @param expectedReplicas the number of replicas that the block should have: the larger of what
   *     the file and its snapshots ask for
   * @param liveReplicas the number of replicas that will stay, without excess replicas and without
   *     those that a new active NameNode has not yet heard of from their nodes
   * @param staleReplicas the number of those, and of replicas on DataNodes without heartbeats
   */
  record Holder(String path, int expectedReplicas, int liveReplicas, int staleReplicas) {}
}
