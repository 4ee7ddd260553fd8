// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.health;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.rest.Cursors;
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
 * Counts files by health, and collects one page of files that are not healthy. Its memory grows
 * only with the number of stripes that small files share. Used by one thread.
 */
public final class FsckTally {
  private static final int MOST_SAMPLES = 5;

  /**
   * Most stripes to show of one of many files; if only one file is requested, all its stripes are
   * shown.
   */
  private static final int MOST_STRIPES = 10;

  private static final Comparator<Place> WORST_FIRST =
      Comparator.comparingInt(Place::severity)
          .reversed()
          .thenComparingInt(Place::furtherLosses)
          .thenComparingLong(Place::inode);

  private final String below;
  private final Paging paging;
  private final Optional<Place> after;

  /** The files of the page, the healthiest on top, because it is removed first. */
  private final PriorityQueue<FileHealth> kept =
      new PriorityQueue<>(Comparator.comparing(Place::of, WORST_FIRST).reversed());

  private final Map<HealthState, Long> files = new EnumMap<>(HealthState.class);
  private final Map<Grade, Group> groups = new TreeMap<>(Grade.WORST_FIRST);
  private final Set<StripeKey> shared = new HashSet<>();
  private long unreadable;

  /**
   * Creates an empty tally.
   *
   * @param below the requested path
   * @param paging which of the files that are not healthy to list
   * @throws io.hdfsraid.raidnode.rest.ApiFailure if the cursor is invalid
   */
  public FsckTally(String below, Paging paging) {
    this.below = below;
    this.paging = paging;
    this.after = paging.cursor().map(Place::parse);
  }

  /**
   * A position in the order of the list, which a cursor names. It has no path: with made-up
   * cursors, somebody could find out the names of files between which they lie.
   */
  private record Place(int severity, int furtherLosses, long inode) {
    static Place of(FileHealth file) {
      return new Place(HealthRecords.severity(file.state()), file.furtherLosses(), file.inode());
    }

    static Place parse(String cursor) {
      String[] parts = cursor.split(":", 3);
      try {
        return new Place(
            Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw Cursors.notOne(cursor);
      }
    }

    @Override
    public String toString() {
      return severity + ":" + furtherLosses + ":" + inode;
    }
  }

  private record Grade(HealthState state, int furtherLosses) {
    static final Comparator<Grade> WORST_FIRST =
        Comparator.comparingInt((Grade grade) -> -HealthRecords.severity(grade.state))
            .thenComparingInt(Grade::furtherLosses);

    /** Returns the tolerated losses; unknown and unrecoverable files tolerate none. */
    static Grade of(HealthState state, int furtherLosses) {
      boolean counts = state == HealthState.HEALTHY || state == HealthState.DEGRADED;
      return new Grade(state, counts ? furtherLosses : -1);
    }
  }

  private static final class Group {
    private long files;
    private long stripes;
    private final List<String> samples = new ArrayList<>();
  }

  /**
   * Adds a file whose stripes were checked.
   *
   * @param ofGroup whether other files may share these stripes
   */
  public void add(HealthRecords.Subject file, List<StripeHealth> stripes, boolean ofGroup) {
    for (StripeHealth stripe : stripes) {
      StripeKey key = new StripeKey(stripe.stripe().parityInode(), stripe.stripe().index());
      if (!ofGroup || shared.add(key)) {
        group(Grade.of(HealthRecords.state(stripe), stripe.furtherLosses())).stripes++;
      }
    }
    add(
        file.path().equals(below)
            ? HealthRecords.complete(file, stripes)
            : HealthRecords.of(file, stripes, MOST_STRIPES));
  }

  /** Adds a file that could not be checked. */
  public void unknown(HealthRecords.Subject file, String why) {
    add(HealthRecords.unknown(file, why));
  }

  private void add(FileHealth file) {
    files.merge(file.state(), 1L, Long::sum);
    unreadable += file.unreadableBytes();
    Group group = group(Grade.of(file.state(), file.furtherLosses()));
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

  /** Returns the counts and the page. */
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
                    grade.state(),
                    grade.furtherLosses(),
                    group.files,
                    group.stripes,
                    group.samples)));
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
