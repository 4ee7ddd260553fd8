package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.namespace.FileState;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Files that hold blocks whose own file is gone: after a concat they live on with the replication
 * of the file that has taken them in.
 */
final class Adopters {
  private final ClusterAccess cluster;
  private final Raising raising;

  Adopters(ClusterAccess cluster) {
    this.cluster = cluster;
    this.raising = new Raising(cluster);
  }

  /** Who holds these blocks now. */
  Map<Long, BlockHolders.Holder> of(Collection<Long> blockIds) throws IOException {
    return blockIds.isEmpty() ? Map.of() : cluster.holders().holders(blockIds);
  }

  /**
   * What came of raising the replication of files that hold such blocks.
   *
   * @param paths the paths that the NameNode gave
   * @param refused why one of them could not be raised
   */
  record Raised(Set<String> paths, Optional<LeftAlone> refused) {}

  /**
   * Gives files that hold such blocks at least this replication, but those that were raided since
   * they have them.
   */
  Raised raise(Map<Long, BlockHolders.Holder> holders, int replication) throws IOException {
    Optional<LeftAlone> refused = Optional.empty();
    Set<String> paths =
        holders.values().stream().map(BlockHolders.Holder::path).collect(Collectors.toSet());
    for (String path : paths) {
      // The path can be stale when only a snapshot holds a block: the file there must contain one.
      Optional<FileState> adopter =
          cluster
              .namespace()
              .file(path)
              .filter(file -> file.contents().stream().anyMatch(b -> holders.containsKey(b.id())));
      if (adopter.isPresent()
          && adopter.get().replication() < replication
          && !hasParityOfItsOwn(adopter.get(), holders.keySet())) {
        Optional<LeftAlone> answer = raising.raise(adopter.get().inode(), replication);
        refused = answer.isPresent() ? answer : refused;
      }
    }
    return new Raised(paths, refused);
  }

  private boolean hasParityOfItsOwn(FileState adopter, Set<Long> adopted) throws IOException {
    Set<Long> covered =
        cluster.parity().find(adopter.inode()).stream()
            .flatMap(parity -> parity.manifest().stripes().stream())
            .flatMap(stripe -> stripe.data().stream())
            .map(unit -> unit.block().id())
            .collect(Collectors.toSet());
    return adopter.contents().stream()
        .map(Block::id)
        .filter(adopted::contains)
        .allMatch(covered::contains);
  }
}
