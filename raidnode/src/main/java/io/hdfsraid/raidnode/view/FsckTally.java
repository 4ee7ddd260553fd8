package io.hdfsraid.raidnode.view;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.raidapi.FileHealth;
import io.hdfsraid.raidapi.FsckReport;
import io.hdfsraid.raidapi.HealthState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidnode.catalog.StripeKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts how well files are, and keeps the page that was asked for: what it holds grows neither
 * with the files nor with what is wrong with them, but with the stripes that small files share,
 * which are few. Used by one thread.
 */
public final class FsckTally {
  private static final int MOST_SAMPLES = 5;

  /** Of a file among many; all of them are shown of one that is asked for alone. */
  private static final int MOST_STRIPES = 10;

  private static final Comparator<Place> WORST_FIRST =
      Comparator.comparingInt(Place::severity)
          .reversed()
          .thenComparingInt(Place::canBear)
          .thenComparing(Place::path);

  private final String below;
  private final Paging paging;
  private final Optional<Place> after;

  /** The best of those kept on top, to be pushed out. */
  private final PriorityQueue<FileHealth> kept =
      new PriorityQueue<>(Comparator.comparing(Place::of, WORST_FIRST).reversed());

  private final Map<HealthState, Long> files = new EnumMap<>(HealthState.class);
  private final Map<Grade, Group> groups = new TreeMap<>(Grade.WORST_FIRST);
  private final Set<StripeKey> shared = new HashSet<>();
  private long unreadable;

  /**
   * @param below the path that was asked for
   * @param paging which of the files that are not healthy to list
   * @throws io.hdfsraid.raidnode.rest.ApiFailure when the cursor is not one
   */
  public FsckTally(String below, Paging paging) {
    this.below = below;
    this.paging = paging;
    this.after = paging.cursor().map(Place::parse);
  }

  /** A place in the order of the list; what a cursor names. */
  private record Place(int severity, int canBear, String path) {
    static Place of(FileHealth file) {
      return new Place(HealthViews.severity(file.state()), file.canBear(), file.path());
    }

    static Place parse(String cursor) {
      String[] parts = cursor.split(":", 3);
      try {
        return new Place(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]);
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw Cursors.notOne(cursor);
      }
    }

    @Override
    public String toString() {
      return severity + ":" + canBear + ":" + path;
    }
  }

  private record Grade(HealthState state, int canBear) {
    static final Comparator<Grade> WORST_FIRST =
        Comparator.comparingInt((Grade grade) -> -HealthViews.severity(grade.state))
            .thenComparingInt(Grade::canBear);

    /** What can be borne says nothing where nothing is certain. */
    static Grade of(HealthState state, int canBear) {
      boolean counts = state == HealthState.HEALTHY || state == HealthState.DEGRADED;
      return new Grade(state, counts ? canBear : -1);
    }
  }

  private static final class Group {
    private long files;
    private long stripes;
    private final List<String> samples = new ArrayList<>();
  }

  /**
   * A file whose stripes were judged.
   *
   * @param ofGroup whether other files may have blocks in these stripes, too
   */
  public void add(HealthViews.Subject file, List<StripeHealth> stripes, boolean ofGroup) {
    for (StripeHealth stripe : stripes) {
      StripeKey key = new StripeKey(stripe.stripe().parityInode(), stripe.stripe().index());
      if (!ofGroup || shared.add(key)) {
        group(Grade.of(HealthViews.state(stripe), stripe.furtherLosses())).stripes++;
      }
    }
    add(
        file.path().equals(below)
            ? HealthViews.complete(file, stripes)
            : HealthViews.of(file, stripes, MOST_STRIPES));
  }

  /** A file of which nothing can be said. */
  public void unknown(HealthViews.Subject file, String why) {
    add(HealthViews.unknown(file, why));
  }

  private void add(FileHealth file) {
    files.merge(file.state(), 1L, Long::sum);
    unreadable += file.unreadableBytes();
    Group group = group(Grade.of(file.state(), file.canBear()));
    group.files++;
    // Of those that are well there is nothing to be looked up.
    if (file.state() != HealthState.HEALTHY && group.samples.size() < MOST_SAMPLES) {
      group.samples.add(file.path());
    }
    boolean listed = file.state() != HealthState.HEALTHY || file.path().equals(below);
    if (listed
        && after.map(cursor -> WORST_FIRST.compare(Place.of(file), cursor) > 0).orElse(true)) {
      kept.add(file);
      if (kept.size() > paging.limit() + 1) {
        kept.poll();
      }
    }
  }

  private Group group(Grade grade) {
    return groups.computeIfAbsent(grade, none -> new Group());
  }

  /** What was counted. */
  public FsckReport report(Instant checked) {
    List<FileHealth> listed =
        kept.stream().sorted(Comparator.comparing(Place::of, WORST_FIRST)).toList();
    List<FileHealth> page = listed.subList(0, Math.min(listed.size(), paging.limit()));
    Optional<String> next =
        listed.size() > page.size()
            ? Optional.of(Place.of(page.get(page.size() - 1)).toString())
            : Optional.empty();
    List<FsckReport.Health> byHealth = new ArrayList<>();
    groups.forEach(
        (grade, group) ->
            byHealth.add(
                new FsckReport.Health(
                    grade.state(), grade.canBear(), group.files, group.stripes, group.samples)));
    return new FsckReport(
        below,
        checked,
        new FsckReport.Summary(
            count(HealthState.HEALTHY),
            count(HealthState.DEGRADED),
            count(HealthState.UNRECOVERABLE),
            count(HealthState.UNKNOWN),
            unreadable),
        byHealth,
        page,
        next,
        "");
  }

  private long count(HealthState state) {
    return files.getOrDefault(state, 0L);
  }
}
