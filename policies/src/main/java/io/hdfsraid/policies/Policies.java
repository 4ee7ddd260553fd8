// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import io.hdfsraid.policies.window.TimeWindows;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All policies, in the order in which they are asked.
 *
 * @param excludes paths no policy may touch, asked before any policy
 * @param minSavingPercent a file is only raided when it then occupies at least this much less, in
 *     percent of what it occupies now
 * @param windows when any policy may act; its own windows hold besides
 */
public record Policies(
    List<Policy> inOrder, List<PathGlob> excludes, int minSavingPercent, TimeWindows windows) {
  public static final int DEFAULT_MIN_SAVING_PERCENT = 10;

  /**
   * Excluded unless {@code policies.yml} names a list of its own: what is about to vanish, and
   * write-ahead logs and system tables, whose writers rely on hsync and on a file being what they
   * left.
   */
  public static final List<PathGlob> BUILT_IN_EXCLUDES =
      Stream.of(
              "/tmp/**",
              "**/.Trash/**",
              "**/_temporary/**",
              "**/.staging/**",
              "**/.hive-staging*/**",
              "**/.spark-staging*/**",
              "/.raid/**",
              "/hbase/WALs/**",
              "/hbase/oldWALs/**",
              "/hbase/MasterProcWALs/**",
              "/hbase/data/hbase/**",
              "**/recovered.edits/**",
              "/accumulo/wal/**",
              "/accumulo/tables/{!0,+r,+rep}/**")
          .map(PathGlob::of)
          .toList();

  public Policies {
    inOrder = List.copyOf(inOrder);
    excludes = List.copyOf(excludes);
    if (minSavingPercent < 0 || minSavingPercent > 99) {
      throw new IllegalArgumentException(
          "minSavingPercent must be 0 to 99, but is " + minSavingPercent);
    }
    Set<String> names = new HashSet<>();
    for (Policy policy : inOrder) {
      if (!names.add(policy.name())) {
        throw new IllegalArgumentException("Two policies are named " + policy.name());
      }
    }
  }

  /** Policies that may act at any time. */
  public Policies(List<Policy> inOrder, List<PathGlob> excludes, int minSavingPercent) {
    this(inOrder, excludes, minSavingPercent, TimeWindows.NONE);
  }

  /** These policies with the built-in excludes. */
  public static Policies of(Policy... inOrder) {
    return new Policies(List.of(inOrder), BUILT_IN_EXCLUDES, DEFAULT_MIN_SAVING_PERCENT);
  }

  /** Whether a pattern is one of those that are excluded unless somebody says otherwise. */
  public static boolean isBuiltIn(PathGlob exclude) {
    return BUILT_IN_EXCLUDES.contains(exclude);
  }

  /** Returns what is left of them in one nameservice: policies for others only are left out. */
  public Policies in(String nameservice) {
    return new Policies(
        inOrder.stream().flatMap(policy -> policy.in(nameservice).stream()).toList(),
        PathGlob.allIn(nameservice, excludes),
        minSavingPercent,
        windows);
  }

  /** Returns the nameservices that patterns name. */
  public Set<String> nameservices() {
    return Stream.concat(
            excludes.stream(),
            inOrder.stream()
                .flatMap(
                    policy -> Stream.concat(policy.paths().stream(), policy.excludes().stream())))
        .flatMap(pattern -> pattern.nameservice().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** When this policy may act. */
  public TimeWindows windowsOf(Policy policy) {
    return policy.runs().windows().within(windows);
  }

  /** The first policy that covers this path and raids files. */
  public Optional<Policy> raidingAt(String path) {
    return Policy.matchesAny(excludes, path)
        ? Optional.empty()
        : covering(path).filter(Policy::raids).findFirst();
  }

  private Stream<Policy> covering(String path) {
    return inOrder.stream().filter(policy -> policy.covers(path));
  }
}
