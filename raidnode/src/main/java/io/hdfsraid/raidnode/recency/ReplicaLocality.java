package io.hdfsraid.raidnode.recency;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.Namespace;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** By where the NameNode says that DataNodes and replicas are. */
public final class ReplicaLocality implements ReadLocality {
  private final Namespace namespace;

  public ReplicaLocality(Namespace namespace) {
    this.namespace = namespace;
  }

  @Override
  public OptionalDouble offNode(long inode, Collection<String> readers) throws IOException {
    Set<String> machines =
        namespace.nodes().stream()
            .map(state -> machine(state.node()))
            .collect(Collectors.toUnmodifiableSet());
    Optional<FileState> file = namespace.file(inode);
    if (file.isEmpty()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        readers.stream()
            .filter(machines::contains)
            .mapToDouble(reader -> shareElsewhere(file.get().blocks(), reader))
            .sum());
  }

  private static double shareElsewhere(List<LocatedBlock> blocks, String reader) {
    long all = 0;
    long elsewhere = 0;
    for (LocatedBlock block : blocks) {
      all += block.block().length();
      if (block.live().stream().noneMatch(replica -> machine(replica.node()).equals(reader))) {
        elsewhere += block.block().length();
      }
    }
    return all == 0 ? 0 : (double) elsewhere / all;
  }

  private static String machine(DataNode node) {
    return node.address().substring(0, node.address().lastIndexOf(':'));
  }
}
