package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.SilentNode;
import io.hdfsraid.raidnode.catalog.Catalog;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a failure of many nodes at once, as of a rack, a switch or the power, from single ones:
 * they mostly come back with all they have, and rebuilding it meanwhile would keep the cluster busy
 * for hours. While it lasts only stripes are repaired that bear no further loss. It ends by itself
 * when nodes are back, or when an operator says that these will not come. Safe for concurrent use.
 *
 * <p>Nothing of it is remembered but what operators said: the NameNode tells which nodes are gone,
 * and since when.
 */
public final class StormBreaker {
  /** What fails within this time of each other fails at once. */
  private static final Duration AT_ONCE = Duration.ofHours(1);

  /** However large their share is, so few are repaired without ado. */
  private static final long FEW_STRIPES = 1_000;

  /** Names of the notes of what operators said. */
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

  /** Written under the lock of this; read by everybody, who may not wait for the NameNode. */
  private volatile Optional<Storm> current = Optional.empty();

  /**
   * What makes a storm.
   *
   * @param nodes so many that went silent within an hour, and still are
   * @param percentOfStripes more than this share of all stripes has lost units, and they are not
   *     few; 100 for never
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
   * Most repairs pause.
   *
   * @param since when this process noticed
   * @param why with the numbers
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

  /** Looks whether there is one now; says so when one begins or ends. */
  public synchronized Optional<Storm> look() throws IOException {
    Optional<String> why = tooManyNodes().or(this::tooManyStripes);
    if (why.isPresent() && current.isEmpty()) {
      note("storm", false, why.get(), "repair round");
      LOG.warn(
          "Repairs of all stripes that bear further losses pause: {}. 'raidshell storm --override'"
              + " goes on with them",
          why.get());
    } else if (why.isEmpty() && current.isPresent()) {
      note("storm-over", true, "All repairs go on; it was: " + current.get().why(), "repair round");
      LOG.warn("Repairs of all stripes go on, which had paused: {}", current.get().why());
    }
    Instant since = current.map(Storm::since).orElseGet(clock::instant);
    current = why.map(text -> new Storm(since, text));
    events.storm(current.isPresent());
    return current;
  }

  /** The one that was there when it was last looked; asks nobody. */
  public Optional<Storm> current() {
    return current;
  }

  /**
   * Repairs go on in spite of it. Nodes that are gone by now count no more; others that go later do
   * again.
   *
   * @return the storm that there was
   */
  public synchronized Optional<Storm> override(String by) throws IOException {
    Optional<Storm> storm = look();
    if (storm.isPresent()) {
      // Written down first: a change that nobody can see later must not be.
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
    Instant after = catalog.notes().instant(NODES_GIVEN_UP).orElse(Instant.EPOCH);
    List<Instant> silentSince =
        namespace.silentNodes().stream()
            .filter(SilentNode::inService)
            .map(SilentNode::lastHeard)
            // One that the NameNode has not heard of since its own start may be gone for long.
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

  /** As many as the audit of placements has met; one that is under way, as many as it will. */
  private long allStripes() {
    return PlacementRound.pass(catalog.notes())
        .filter(pass -> pass.files() > 0)
        .map(pass -> pass.stripes() * Math.max(pass.files(), pass.all()) / pass.files())
        .orElse(0L);
  }

  private void note(String event, boolean succeeded, String what, String by) {
    journal.note(event, Optional.empty(), EVERYTHING, succeeded, by, what, 0, 0);
  }
}
