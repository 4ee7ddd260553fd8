// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.namespace.LocatedFile;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the files that hold blocks whose own file is gone. After a concat, the blocks live on in
 * the target file, with the replication of the target.
 */
public final class ConcatTargets {
  private final ClusterAccess cluster;
  private final ReplicationRestore raising;

  public ConcatTargets(ClusterAccess cluster) {
    this.cluster = cluster;
    this.raising = new ReplicationRestore(cluster);
  }

  /** Who holds these blocks now. */
  public Map<Long, BlockHolders.Holder> of(Collection<Long> blockIds) throws IOException {
    return blockIds.isEmpty() ? Map.of() : cluster.holders().holders(blockIds);
  }

  /**
   * The result of raising the replication of files that hold such blocks.
   *
   * @param paths the paths that the NameNode gave
   * @param refused why the replication of one of them could not be raised
   */
  public record Raised(Set<String> paths, Optional<LeftAlone> refused) {}

  /**
   * Gives files that hold such blocks at least this replication, but those that were raided since
   * they have them.
   */
  public Raised raise(Map<Long, BlockHolders.Holder> holders, int replication) throws IOException {
    Optional<LeftAlone> refused = Optional.empty();
    Set<String> paths =
        holders.values().stream().map(BlockHolders.Holder::path).collect(Collectors.toSet());
    for (String path : paths) {
      // The path can be stale when only a snapshot holds a block: the file there must contain one.
      Optional<LocatedFile> target =
          cluster
              .namespace()
              .file(path)
              .filter(file -> file.contents().stream().anyMatch(b -> holders.containsKey(b.id())));
      if (target.isPresent()
          && target.get().replication() < replication
          && !hasParityOfItsOwn(target.get(), holders.keySet())) {
        Optional<LeftAlone> answer = raising.raise(target.get().inode(), replication);
        refused = answer.isPresent() ? answer : refused;
      }
    }
    return new Raised(paths, refused);
  }

  private boolean hasParityOfItsOwn(LocatedFile target, Set<Long> adopted) throws IOException {
    Set<Long> covered =
        cluster.parity().find(target.inode()).stream()
            .flatMap(parity -> parity.manifest().stripes().stream())
            .flatMap(stripe -> stripe.data().stream())
            .map(unit -> unit.block().id())
            .collect(Collectors.toSet());
    return target.contents().stream()
        .map(Block::id)
        .filter(adopted::contains)
        .allMatch(covered::contains);
  }
}
