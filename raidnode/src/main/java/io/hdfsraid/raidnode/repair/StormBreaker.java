// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.UnresponsiveNode;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.upkeep.PlacementJob;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects the failure of many nodes at once, for example of a rack, a switch or the power supply.
 * Most of these nodes come back with all their replicas, and rebuilding them meanwhile would keep
 * the cluster busy for hours. During such a storm only stripes that tolerate no further loss are
 * repaired. The storm ends when nodes are back, or when an operator says that they will not come
 * back. Safe for concurrent use.
 *
 * <p>Only the decisions of operators are stored. The NameNode tells which nodes are gone, and since
 * when.
 */
public final class StormBreaker {
  /** Failures within this time of each other count as simultaneous. */
  private static final Duration AT_ONCE = Duration.ofHours(1);

  /** Up to this number of stripes is repaired normally, whatever their share is. */
  private static final long FEW_STRIPES = 1_000;

  /** Names of the notes with the decisions of operators. */
  private static final String NODES_GIVEN_UP = "storm-nodes-given-up";

  private static final String STRIPES_GIVEN_UP = "storm-stripes-given-up";
  private static final String EVERYTHING = "/";
  private static final Logger LOG = LoggerFactory.getLogger(StormBreaker.class);

  private final Namespace namespace;
  private final Catalog catalog;
  private final Limits limits;
  private final Journal journal;
  private final RaidEvents events;
  private final Clock clock;

  /**
   * Written under the lock of this object. Read without a lock, because readers must not wait for
   * the NameNode.
   */
  private volatile Optional<Storm> current = Optional.empty();

  /**
   * The limits beyond which failures are a storm.
   *
   * @param nodes number of nodes that became silent within an hour and still are
   * @param percentOfStripes percentage of all stripes with lost units, if they are not few; 100 for
   *     never
   */
  public record Limits(int nodes, int percentOfStripes) {
    public static final Limits NONE = new Limits(Integer.MAX_VALUE, 100);

    public Limits {
      if (nodes < 1 || percentOfStripes < 0 || percentOfStripes > 100) {
        throw new IllegalArgumentException(
            "A storm takes 1 or more nodes and 0 to 100 %% of stripes, but got %d and %d"
                .formatted(nodes, percentOfStripes));
      }
    }
  }

  /**
   * A storm, during which most repairs pause.
   *
   * @param since when this process detected the storm
   * @param why the reason with numbers
   */
  public record Storm(Instant since, String why) {}

  public StormBreaker(
      Namespace namespace,
      Catalog catalog,
      Limits limits,
      Journal journal,
      RaidEvents events,
      Clock clock) {
    this.namespace = namespace;
    this.catalog = catalog;
    this.limits = limits;
    this.journal = journal;
    this.events = events;
    this.clock = clock;
  }

  /** Checks whether there is a storm now, and reports its beginning and end. */
  public synchronized Optional<Storm> look() throws IOException {
    Optional<String> why = tooManyNodes().or(this::tooManyStripes);
    if (why.isPresent() && current.isEmpty()) {
      note("storm", false, why.get(), "repair job");
      LOG.warn(
          "Repairs of all stripes that bear further losses pause: {}. 'raidshell storm --override'"
              + " goes on with them",
          why.get());
    } else if (why.isEmpty() && current.isPresent()) {
      note("storm-over", true, "All repairs go on; it was: " + current.get().why(), "repair job");
      LOG.warn("Repairs of all stripes go on, which had paused: {}", current.get().why());
    }
    Instant since = current.map(Storm::since).orElseGet(clock::instant);
    current = why.map(text -> new Storm(since, text));
    events.storm(current.isPresent());
    return current;
  }

  /** Returns the storm found by the last check, without a call to the NameNode. */
  public Optional<Storm> current() {
    return current;
  }

  /**
   * Resumes repairs in spite of the storm. Nodes that are gone now no longer count; nodes that fail
   * later count again.
   *
   * @return the storm that was ended
   */
  public synchronized Optional<Storm> override(String by) throws IOException {
    Optional<Storm> storm = look();
    if (storm.isPresent()) {
      // Recorded first: every change must be visible later.
      note("storm-overridden", true, storm.get().why(), by);
      catalog.notes().instant(NODES_GIVEN_UP, clock.instant());
      catalog.notes().instant(STRIPES_GIVEN_UP, clock.instant());
      LOG.atWarn()
          .addKeyValue("by", by)
          .log("Repairs go on in spite of this: " + storm.get().why());
      look();
    }
    return storm;
  }

  private Optional<String> tooManyNodes() throws IOException {
    Instant after = nodesGivenUp();
    List<Instant> silentSince =
        namespace.deadNodes().stream()
            .filter(UnresponsiveNode::inService)
            .map(UnresponsiveNode::lastHeard)
            // A node without a heartbeat since the start of the NameNode may have been gone for
            // long.
            .filter(heard -> heard.isAfter(after))
            .sorted()
            .toList();
    int first = 0;
    for (int last = 0; last < silentSince.size(); last++) {
      while (silentSince.get(first).plus(AT_ONCE).isBefore(silentSince.get(last))) {
        first++;
      }
      if (last - first + 1 >= limits.nodes()) {
        return Optional.of(
            "%d or more DataNodes went silent within an hour, from %s on, and are not back"
                .formatted(limits.nodes(), silentSince.get(first)));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns up to when nodes that went silent do not count. A time that is yet to come was written
   * by a clock that was ahead; with it, no later storm would be noticed.
   */
  private Instant nodesGivenUp() {
    Instant now = clock.instant();
    Instant noted = catalog.notes().instant(NODES_GIVEN_UP).orElse(Instant.EPOCH);
    if (noted.isAfter(now)) {
      catalog.notes().instant(NODES_GIVEN_UP, now);
      return now;
    }
    return noted;
  }

  private Optional<String> tooManyStripes() {
    long lost = catalog.repairs().size();
    long all = lost < FEW_STRIPES ? 0 : allStripes();
    boolean many =
        all > 0 && limits.percentOfStripes() < 100 && lost * 100 > all * limits.percentOfStripes();
    boolean givenUp = catalog.notes().instant(STRIPES_GIVEN_UP).isPresent();
    if (!many && givenUp) {
      catalog.notes().remove(STRIPES_GIVEN_UP);
    }
    return !many || givenUp
        ? Optional.empty()
        : Optional.of(
            "%d stripes of %d have lost units, more than %d %%"
                .formatted(lost, all, limits.percentOfStripes()));
  }

  /**
   * Returns the number of stripes that the last placement audit has found; for an audit in
   * progress, an extrapolation.
   */
  private long allStripes() {
    return PlacementJob.pass(catalog.notes())
        .filter(pass -> pass.files() > 0)
        .map(pass -> pass.stripes() * Math.max(pass.files(), pass.all()) / pass.files())
        .orElse(0L);
  }

  private void note(String event, boolean succeeded, String what, String by) {
    journal.note(event, Optional.empty(), EVERYTHING, succeeded, by, what, 0, 0);
  }
}
