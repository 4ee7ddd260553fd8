// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The DataNodes for whose full block reports something waits: the end of a raid, for the NameNode
 * drops no excess replicas before, and the end of letting a file or group go, for no replica counts
 * as one that will stay. Safe for concurrent use.
 */
public final class AwaitedReports {
  /** What something waits for, after a sentence that says what waits. */
  public static final String WHY =
      ": since the NameNode became active it has had no full block report of some of their DataNodes";

  /** A thousand name enough DataNodes; others come up when these are gone. */
  private static final int MOST_LEAVING = 1_000;

  /** What waits is looked at more often than this. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(30);

  private final UnauditedStripes unaudited;
  private final Clock clock;

  /** By the inode id of the file or the id of the group that is let go. */
  private final Map<Long, Seen> leaving = new HashMap<>();

  /**
   * What is waited for.
   *
   * @param since when it was seen first
   * @param nodes some of the DataNodes, if there are many
   */
  public record Wait(Instant since, Set<DataNode> nodes) {
    public Wait {
      Objects.requireNonNull(since, "since");
      nodes = Set.copyOf(nodes);
    }

    private Wait with(Wait other) {
      Set<DataNode> both = new HashSet<>(nodes);
      both.addAll(other.nodes);
      return new Wait(since.isBefore(other.since) ? since : other.since, both);
    }
  }

  /**
   * A wait.
   *
   * @param last when it was seen last
   */
  private record Seen(Wait what, Instant last) {}

  /**
   * Creates it without anything that is let go.
   *
   * @param unaudited what waits for its audit, with the excess replicas that audits have seen
   */
  public AwaitedReports(UnauditedStripes unaudited, Clock clock) {
    this.unaudited = unaudited;
    this.clock = clock;
  }

  /**
   * Notes what a file or group that is let go waits for now, in place of what was noted before. It
   * is forgotten after half an hour, unless it is noted again.
   *
   * @param blocks its blocks, with the DataNodes that have their replicas
   * @param lacking the holders of those of its blocks that lack lasting replicas, by block id
   * @return whether it waits for reports
   */
  public boolean seen(
      long id, Collection<LocatedBlock> blocks, Map<Long, BlockHolders.Holder> lacking) {
    Set<DataNode> nodes =
        blocks.stream()
            .filter(block -> isStale(lacking.get(block.block().id())))
            .flatMap(block -> block.holders().stream())
            .distinct()
            .limit(ExcessReplicas.MOST_NODES)
            .collect(Collectors.toSet());
    note(id, nodes);
    return !nodes.isEmpty();
  }

  private static boolean isStale(BlockHolders.Holder holder) {
    return holder != null && holder.staleReplicas() > 0;
  }

  private synchronized void note(long id, Set<DataNode> nodes) {
    if (nodes.isEmpty()) {
      leaving.remove(id);
    } else if (leaving.containsKey(id) || leaving.size() < MOST_LEAVING) {
      Instant now = clock.instant();
      Instant since = leaving.containsKey(id) ? leaving.get(id).what().since() : now;
      leaving.put(id, new Seen(new Wait(since, nodes), now));
    }
  }

  /** Returns all that is waited for together; empty if nothing is. */
  public Optional<Wait> all() {
    Stream<Wait> raided =
        unaudited.excess().filter(ExcessReplicas::awaitReports).stream()
            .map(excess -> new Wait(excess.since(), excess.nodes()));
    return Stream.concat(raided, leaving().stream()).reduce(Wait::with);
  }

  private synchronized List<Wait> leaving() {
    Instant now = clock.instant();
    leaving
        .values()
        .removeIf(
            seen -> seen.last().isAfter(now) || seen.last().plus(FORGOTTEN_AFTER).isBefore(now));
    return leaving.values().stream().map(Seen::what).toList();
  }
}
