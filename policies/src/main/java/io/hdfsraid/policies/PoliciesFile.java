// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.settings.Problems;
import io.hdfsraid.policies.settings.Section;
import io.hdfsraid.policies.window.TimeWindows;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads {@code policies.yml}: the names of its keys, their defaults and the values allowed. It
 * takes the plain tree a YAML or JSON parser makes (maps, lists, strings, numbers), so that a typo
 * in a key and an impossible value are found in one go.
 */
public final class PoliciesFile {
  private static final List<String> KEYS =
      List.of(
          "minSavingPercent",
          "excludes",
          "builtInExcludes",
          "timeZone",
          "windows",
          "blackouts",
          "policies");

  private PoliciesFile() {}

  /**
   * Checks that need knowledge of other modules: which codecs there are, what a cron expression
   * looks like.
   */
  public interface Checks {
    /** Empty, or what is wrong with it as a clause: "is not a known codec: 'rs'". */
    Optional<String> problemWithCodec(String name);

    /** Empty, or what is wrong with it. */
    Optional<String> problemWithSchedule(String cron);

    /** The time zone of policies that name none. */
    default ZoneId timeZone() {
      return ZoneOffset.UTC;
    }
  }

  /**
   * Reads the whole tree, whatever is wrong with parts of it.
   *
   * @param tree the root mapping; null for an empty file, which is a problem, for "no policies" is
   *     written {@code policies: []}
   * @param problems gets everything that is wrong, and warnings if nothing is
   * @return empty if anything is wrong
   */
  public static Optional<Policies> parse(Map<?, ?> tree, Checks checks, Problems problems) {
    if (tree == null) {
      problems.add("", "is empty; without any policy write 'policies: []'");
      return Optional.empty();
    }
    Section root = new Section(tree, "", KEYS, problems);
    int minSaving =
        root.value("minSavingPercent", Section.wholeNumber(0, 99))
            .orElse(Policies.DEFAULT_MIN_SAVING_PERCENT);
    List<PathGlob> excludes = new ArrayList<>(root.list("excludes", PathGlob::of));
    excludes.addAll(
        root.has("builtInExcludes")
            ? root.list("builtInExcludes", PathGlob::of)
            : Policies.BUILT_IN_EXCLUDES);
    ZoneId zone = root.value("timeZone", Section::zone).orElseGet(checks::timeZone);
    TimeWindows windows = WindowReader.read(root, zone);
    List<Policy> policies = readPolicies(root, new PolicyReader(checks, zone));
    if (!problems.isEmpty()) {
      return Optional.empty();
    }
    warn(policies, excludes, problems);
    return Optional.of(new Policies(policies, excludes, minSaving, windows));
  }

  private static List<Policy> readPolicies(Section root, PolicyReader reader) {
    root.require("policies");
    List<Policy> policies = new ArrayList<>();
    Map<String, String> keyOfName = new HashMap<>();
    for (Section.Entry entry : root.entries("policies")) {
      if (entry.value() instanceof Map<?, ?> map) {
        Section section = root.at(entry.key(), map, PolicyReader.KEYS);
        reader.read(section).ifPresent(policies::add);
        section
            .text("name")
            .map(name -> keyOfName.putIfAbsent(name, entry.key()))
            .ifPresent(first -> section.problem("name", "is the name of " + first + " already"));
      } else {
        root.problem(entry.key(), "must be a policy with name, paths, coldAfter and codec");
      }
    }
    return policies;
  }

  private static void warn(List<Policy> policies, List<PathGlob> excludes, Problems problems) {
    List<String> missing =
        Policies.BUILT_IN_EXCLUDES.stream()
            .filter(builtIn -> excludes.stream().noneMatch(exclude -> exclude.covers(builtIn)))
            .map(PathGlob::toString)
            .toList();
    if (!missing.isEmpty()) {
      problems.warn(
          "builtInExcludes",
          "leaves out " + String.join(", ", missing) + ", so policies may touch those");
    }
    for (int i = 0; i < policies.size(); i++) {
      List<String> excluding = excluding(policies.get(i), excludes);
      if (!excluding.isEmpty()) {
        problems.warn(
            "policies[" + i + "].paths",
            "(%s) speaks about no file: all its paths are excluded, by %s"
                .formatted(policies.get(i).name(), String.join(", ", excluding)));
      }
    }
    for (int later = 0; later < policies.size(); later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        if (hides(policies.get(earlier), policies.get(later))) {
          problems.warn(
              "policies[" + later + "]",
              "(%s) is never asked: policies[%d] (%s) speaks about all its paths before it"
                  .formatted(policies.get(later).name(), earlier, policies.get(earlier).name()));
          break;
        }
      }
    }
  }

  /** The excludes that surely take all paths of the policy; none where a path may be left. */
  private static List<String> excluding(Policy policy, List<PathGlob> excludes) {
    Set<String> all = new LinkedHashSet<>();
    for (PathGlob path : policy.paths()) {
      Optional<PathGlob> taking =
          Stream.concat(excludes.stream(), policy.excludes().stream())
              .filter(exclude -> exclude.covers(path) || exclude.coversBelow(path))
              .findFirst();
      if (taking.isEmpty()) {
        return List.of();
      }
      all.add(taking.get().toString());
    }
    return List.copyOf(all);
  }

  /** Whether the first surely speaks about every file that the second could. */
  private static boolean hides(Policy first, Policy second) {
    return first.when().isEmpty()
        && first.runs().capacity().flatMap(CapacityRule::directory).isEmpty()
        && second.paths().stream()
            .allMatch(path -> first.paths().stream().anyMatch(other -> other.covers(path)))
        && first.excludes().stream()
            .allMatch(path -> second.excludes().stream().anyMatch(other -> other.covers(path)));
  }
}
