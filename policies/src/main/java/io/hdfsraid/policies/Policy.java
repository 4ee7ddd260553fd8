// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One entry of {@code policies.yml}: which files it applies to, when they are ready, and how they
 * are protected.
 *
 * <p>The paths and the conditions of {@code when} decide <em>whether</em> this policy is the one
 * that speaks about a file; all else decides <em>what</em> it says. So a file that is too warm for
 * the {@code coldAfter} of the first policy that speaks about it is left, even when a later policy
 * would take it; one that is too warm for a {@code when: {coldAfter: …}} is the next policy's.
 *
 * @param excludes paths this policy does not speak about, so that a later one may
 * @param when all of them hold of the files that it speaks about. Where it is not known whether one
 *     holds, a policy that changes files does not speak about the file, and one that leaves them
 *     does
 * @param reheat when raided files of this policy get their replicas back
 */
public record Policy(
    String name,
    List<PathGlob> paths,
    List<PathGlob> excludes,
    List<Condition> when,
    Action action,
    Readiness readiness,
    RunSettings runs,
    Optional<ReheatRule> reheat) {
  public static final Duration DEFAULT_MIN_AGE = Readiness.DEFAULT_MIN_AGE;

  public Policy {
    if (name.isBlank()) {
      throw new IllegalArgumentException("A policy needs a name");
    }
    paths = List.copyOf(paths);
    excludes = List.copyOf(excludes);
    when = List.copyOf(when);
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("Policy " + name + " has no paths");
    }
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(readiness, "readiness");
    Objects.requireNonNull(runs, "runs");
    Objects.requireNonNull(reheat, "reheat");
  }

  /** Creates a policy that raids the files on its paths when they are ready. */
  public Policy(
      String name,
      List<PathGlob> paths,
      List<PathGlob> excludes,
      Duration coldAfter,
      Duration minAge,
      long minSize,
      Protection protection,
      Optional<String> schedule,
      boolean raidSnapshotted) {
    this(
        name,
        paths,
        excludes,
        List.of(),
        new Action.ToRaid(protection),
        new Readiness(coldAfter, minAge, minSize, Optional.empty(), raidSnapshotted),
        RunSettings.by(schedule),
        Optional.empty());
  }

  /** A policy that leaves what snapshots hold. */
  public Policy(
      String name,
      List<PathGlob> paths,
      List<PathGlob> excludes,
      Duration coldAfter,
      Duration minAge,
      long minSize,
      Protection protection,
      Optional<String> schedule) {
    this(name, paths, excludes, coldAfter, minAge, minSize, protection, schedule, false);
  }

  /**
   * Returns a policy for a request of an operator: raid this path now, however warm or young the
   * file is.
   */
  public static Policy onRequest(String path, Protection protection) {
    return new Policy(
        "on request",
        List.of(PathGlob.exactly(path)),
        List.of(),
        List.of(),
        new Action.ToRaid(protection),
        Readiness.ALWAYS,
        RunSettings.by(Optional.empty()),
        Optional.empty());
  }

  /** Returns what is left of it in one nameservice; empty if all its paths are in others. */
  Optional<Policy> in(String nameservice) {
    List<PathGlob> there = PathGlob.allIn(nameservice, paths);
    return there.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Policy(
                name,
                there,
                PathGlob.allIn(nameservice, excludes),
                when,
                action,
                readiness,
                runs,
                reheat));
  }

  public Policy when(Condition... conditions) {
    return new Policy(name, paths, excludes, List.of(conditions), action, readiness, runs, reheat);
  }

  public Policy doing(Action other) {
    return new Policy(name, paths, excludes, when, other, readiness, runs, reheat);
  }

  public Policy ready(Readiness other) {
    return new Policy(name, paths, excludes, when, action, other, runs, reheat);
  }

  public Policy running(RunSettings other) {
    return new Policy(name, paths, excludes, when, action, readiness, other, reheat);
  }

  public Policy reheating(ReheatRule rule) {
    return new Policy(name, paths, excludes, when, action, readiness, runs, Optional.of(rule));
  }

  public Duration coldAfter() {
    return readiness.coldAfter();
  }

  /**
   * Returns the least time for which a file that this policy raids has not been used: {@code
   * coldAfter}, or that of {@code when}, whichever is longer.
   */
  public Duration coldAtLeast() {
    Duration longest = readiness.coldAfter();
    for (Condition condition : when) {
      if (condition instanceof Condition.ColdFor cold && cold.time().compareTo(longest) > 0) {
        longest = cold.time();
      }
    }
    return longest;
  }

  public Duration minAge() {
    return readiness.minAge();
  }

  public long minSize() {
    return readiness.minSize();
  }

  public boolean raidSnapshotted() {
    return readiness.raidSnapshotted();
  }

  public Optional<String> schedule() {
    return runs.schedule();
  }

  /** Whether it raids files, and does not only leave or unraid them. */
  public boolean raids() {
    return action instanceof Action.ToRaid;
  }

  /**
   * What its files get.
   *
   * @throws IllegalStateException of a policy that does not raid: ask {@link #raids} before
   */
  public Protection protection() {
    if (action instanceof Action.ToRaid raid) {
      return raid.protection();
    }
    throw new IllegalStateException(
        "Policy %s does not raid: its action is %s".formatted(name, action.word()));
  }

  /** Whether paths, excludes, and where it is to make room allow it to speak about this path. */
  boolean covers(String path) {
    return matchesAny(paths, path) && !matchesAny(excludes, path) && makesRoomAt(path);
  }

  private boolean makesRoomAt(String path) {
    return runs.capacity().isEmpty() || runs.capacity().get().covers(path);
  }

  /** Without a stream: an evaluation asks this some hundred million times. */
  static boolean matchesAny(List<PathGlob> patterns, String path) {
    for (int i = 0; i < patterns.size(); i++) {
      if (patterns.get(i).matches(path)) {
        return true;
      }
    }
    return false;
  }

  /** The first of the given patterns that the path matches. */
  static Optional<PathGlob> firstMatch(List<PathGlob> patterns, String path) {
    return patterns.stream().filter(pattern -> pattern.matches(path)).findFirst();
  }
}
