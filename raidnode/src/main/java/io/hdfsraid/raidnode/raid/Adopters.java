package io.hdfsraid.raidnode.raid;

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

  Adopters(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  /** Who holds these blocks now. */
  Map<Long, BlockHolders.Holder> of(Collection<Long> blockIds) throws IOException {
    return blockIds.isEmpty() ? Map.of() : cluster.holders().holders(blockIds);
  }

  /**
   * Gives files that hold such blocks at least this replication.
   *
   * @return the paths that the NameNode gave
   */
  Set<String> raise(Map<Long, BlockHolders.Holder> holders, int replication) throws IOException {
    Set<String> paths =
        holders.values().stream().map(BlockHolders.Holder::path).collect(Collectors.toSet());
    for (String path : paths) {
      // The path can be stale when only a snapshot holds a block: the file there must contain one.
      Optional<FileState> adopter =
          cluster
              .namespace()
              .file(path)
              .filter(file -> file.contents().stream().anyMatch(b -> holders.containsKey(b.id())));
      if (adopter.isPresent() && adopter.get().replication() < replication) {
        cluster.fence().pass();
        cluster.namespace().setReplication(adopter.get().inode(), replication);
      }
    }
    return paths;
  }
}
