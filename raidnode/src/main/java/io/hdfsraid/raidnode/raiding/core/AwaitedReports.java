// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The DataNodes whose full block reports are awaited since a NameNode became active. Before it has
 * them, the NameNode drops no excess replicas, so no raid ends, and it counts no replicas of a file
 * or group that is let go, so the parity stays. Safe for concurrent use.
 */
public final class AwaitedReports {
  /** Follows a sentence that says which replicas are waited for. */
  public static final String WHY =
      ": since the NameNode became active it has had no full block report of some DataNodes that have"
          + " replicas";

  /** A thousand name enough DataNodes; others come up when these are gone. */
  private static final int MOST_LEAVING = 1_000;

  /** A round of the job that looks at what is let go ends sooner. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(2);

  private final UnauditedStripes unaudited;
  private final Clock clock;

  /** Maps the inode id of a file, or the id of a group, that is let go to what it waits for. */
  private final Map<Long, Seen> leaving = new HashMap<>();

  /**
   * The reports that are awaited.
   *
   * @param since when the first of them was missed first
   * @param nodes whose reports they are; not all, if there are many
   */
  public record Wait(Instant since, Set<DataNode> nodes) {
    public Wait {
      Objects.requireNonNull(since, "since");
      nodes = Set.copyOf(nodes);
    }
  }

  /**
   * The reports that a file or group that is let go waits for.
   *
   * @param last when that was noted last
   */
  private record Seen(Wait what, Instant last) {}

  /**
   * Begins with nothing that is let go.
   *
   * @param unaudited what waits for its audit, with the excess replicas that audits have seen
   */
  public AwaitedReports(UnauditedStripes unaudited, Clock clock) {
    this.unaudited = unaudited;
    this.clock = clock;
  }

  /**
   * Notes what a file or group that is let go waits for now, in place of what was noted before. It
   * is forgotten after two hours, unless it is noted again.
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

  /** Notes that a file or group waits for no reports, whatever else it waits for. */
  public void none(long id) {
    note(id, Set.of());
  }

  private synchronized void note(long id, Set<DataNode> nodes) {
    if (nodes.isEmpty()) {
      leaving.remove(id);
    } else if (leaving.containsKey(id) || leaving.size() < MOST_LEAVING) {
      Instant now = clock.instant();
      Instant since =
          Optional.ofNullable(leaving.get(id))
              .map(seen -> seen.what().since())
              .filter(earlier -> earlier.isBefore(now)) // unless the clock was set back
              .orElse(now);
      leaving.put(id, new Seen(new Wait(since, nodes), now));
    }
  }

  /** Returns all these reports together; empty if none is awaited. */
  public Optional<Wait> all() {
    List<Wait> waits = new ArrayList<>(leaving());
    unaudited
        .excess()
        .filter(ExcessReplicas::awaitReports)
        .ifPresent(excess -> waits.add(new Wait(excess.since(), excess.nodes())));
    Set<DataNode> nodes = new HashSet<>();
    waits.forEach(wait -> nodes.addAll(wait.nodes()));
    return waits.stream()
        .map(Wait::since)
        .min(Comparator.naturalOrder())
        .map(since -> new Wait(since, nodes));
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
