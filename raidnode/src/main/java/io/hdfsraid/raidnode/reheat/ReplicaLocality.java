// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.reheat;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Computes the distance from the locations of DataNodes and replicas that the NameNode reports. The
 * list of DataNodes is requested rarely, because it is long on a large cluster.
 */
public final class ReplicaLocality implements ReadLocality {
  private static final Duration MACHINES_STAY = Duration.ofMinutes(15);

  private final Namespace namespace;
  private final Clock clock;
  private volatile Machines machines = new Machines(Set.of(), Instant.MIN);

  private record Machines(Set<String> addresses, Instant until) {}

  public ReplicaLocality(Namespace namespace, Clock clock) {
    this.namespace = namespace;
    this.clock = clock;
  }

  @Override
  public OptionalDouble offNode(long inode, Collection<String> readers) throws IOException {
    Set<String> withDataNodes = machines();
    Optional<LocatedFile> file = namespace.file(inode);
    if (file.isEmpty()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        readers.stream()
            .filter(withDataNodes::contains)
            .mapToDouble(reader -> shareElsewhere(file.get().blocks(), reader))
            .sum());
  }

  private Set<String> machines() throws IOException {
    Machines known = machines;
    Instant now = clock.instant();
    if (now.isBefore(known.until()) && !known.until().isAfter(now.plus(MACHINES_STAY))) {
      return known.addresses();
    }
    Set<String> addresses =
        namespace.nodes().stream()
            .map(state -> state.node().ip())
            .collect(Collectors.toUnmodifiableSet());
    machines = new Machines(addresses, now.plus(MACHINES_STAY));
    return addresses;
  }

  private static double shareElsewhere(List<LocatedBlock> blocks, String reader) {
    long all = 0;
    long elsewhere = 0;
    for (LocatedBlock block : blocks) {
      all += block.block().length();
      if (block.live().stream().noneMatch(replica -> replica.node().ip().equals(reader))) {
        elsewhere += block.block().length();
      }
    }
    return all == 0 ? 0 : (double) elsewhere / all;
  }
}
