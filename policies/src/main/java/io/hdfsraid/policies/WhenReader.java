// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import io.hdfsraid.policies.Condition.Accesses;
import io.hdfsraid.policies.Condition.Age;
import io.hdfsraid.policies.Condition.Bound;
import io.hdfsraid.policies.Condition.ColdFor;
import io.hdfsraid.policies.Condition.Encrypted;
import io.hdfsraid.policies.Condition.OfGroup;
import io.hdfsraid.policies.Condition.OwnedBy;
import io.hdfsraid.policies.Condition.PartitionAge;
import io.hdfsraid.policies.Condition.PathLike;
import io.hdfsraid.policies.Condition.Size;
import io.hdfsraid.policies.Condition.Snapshotted;
import io.hdfsraid.policies.Condition.StoredBy;
import io.hdfsraid.policies.settings.Section;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads {@code when} of a policy: the conditions that decide, besides paths, whether the policy
 * applies to a file.
 */
final class WhenReader {
  static final List<String> KEYS =
      List.of(
          "pathRegex",
          "owners",
          "groups",
          "minSize",
          "maxSize",
          "storagePolicies",
          "encrypted",
          "snapshotted",
          "partition",
          "minAge",
          "maxAge",
          "coldAfter",
          "accesses");

  private static final int MOST_ACCESSES = 999_999_999;

  private final ZoneId zone;

  WhenReader(ZoneId zone) {
    this.zone = zone;
  }

  /** In an order in which cheap questions come first. */
  List<Condition> read(Section policy) {
    Optional<Section> there = policy.section("when", KEYS);
    if (there.isEmpty()) {
      return List.of();
    }
    Section section = there.get();
    List<Condition> all = new ArrayList<>();
    names(section, "owners").map(OwnedBy::new).ifPresent(all::add);
    names(section, "groups").map(OfGroup::new).ifPresent(all::add);
    section.value("encrypted", Section::yesOrNo).map(Encrypted::new).ifPresent(all::add);
    section.value("snapshotted", Section::yesOrNo).map(Snapshotted::new).ifPresent(all::add);
    set(section, "storagePolicies", Section.oneOf(HdfsStoragePolicy.class))
        .map(StoredBy::new)
        .ifPresent(all::add);
    sizes(section, all);
    ages(section, all);
    section.value("coldAfter", PolicyReader::aboveZero).map(ColdFor::new).ifPresent(all::add);
    section
        .section("accesses", List.of("atMost", "atLeast", "within"))
        .ifPresent(accesses -> accesses(accesses, all));
    section
        .section("partition", List.of("key", "olderThan", "youngerThan"))
        .ifPresent(partition -> partition(partition, all));
    section.value("pathRegex", PathRegex::of).map(PathLike::new).ifPresent(all::add);
    return all;
  }

  private static Optional<Set<String>> names(Section section, String key) {
    return set(section, key, Function.identity());
  }

  private static <T> Optional<Set<T>> set(Section section, String key, Function<String, T> parser) {
    if (!section.has(key)) {
      return Optional.empty();
    }
    Set<T> all = Set.copyOf(section.list(key, parser));
    if (all.isEmpty() && section.isFine(key)) {
      section.problem(key, "must name at least one, or be left out");
    }
    return Optional.of(all);
  }

  private static void sizes(Section section, List<Condition> all) {
    Optional<Long> least = section.value("minSize", Quantities::bytes);
    Optional<Long> most = section.value("maxSize", Quantities::bytes);
    if (least.isPresent() && most.isPresent() && least.get() > most.get()) {
      section.problem("minSize", "is larger than maxSize, so no file ever matches");
    }
    least.map(bytes -> new Size(Bound.AT_LEAST, bytes)).ifPresent(all::add);
    most.map(bytes -> new Size(Bound.AT_MOST, bytes)).ifPresent(all::add);
  }

  private static void ages(Section section, List<Condition> all) {
    Optional<Duration> least = section.value("minAge", PolicyReader::aboveZero);
    Optional<Duration> most = section.value("maxAge", PolicyReader::aboveZero);
    checkSpan(section, "minAge", least, "maxAge", most);
    least.map(age -> new Age(Bound.AT_LEAST, age)).ifPresent(all::add);
    most.map(age -> new Age(Bound.AT_MOST, age)).ifPresent(all::add);
  }

  private static void checkSpan(
      Section section, String low, Optional<Duration> least, String high, Optional<Duration> most) {
    if (least.isPresent() && most.isPresent() && least.get().compareTo(most.get()) >= 0) {
      section.problem(low, "is not shorter than " + high + ", so no file ever matches");
    }
  }

  private static void accesses(Section section, List<Condition> all) {
    section.require("within");
    Optional<Integer> most = section.value("atMost", Section.wholeNumber(0, MOST_ACCESSES));
    Optional<Integer> least = section.value("atLeast", Section.wholeNumber(1, MOST_ACCESSES));
    Optional<Duration> within = section.value("within", PolicyReader::aboveZero);
    if (!section.has("atMost") && !section.has("atLeast")) {
      section.problem("atMost", "is missing, and so is atLeast");
    }
    if (most.isPresent() && least.isPresent() && least.get() > most.get()) {
      section.problem("atLeast", "is larger than atMost, so no file ever matches");
    }
    within.ifPresent(
        time -> {
          most.map(times -> new Accesses(Bound.AT_MOST, times, time)).ifPresent(all::add);
          least.map(times -> new Accesses(Bound.AT_LEAST, times, time)).ifPresent(all::add);
        });
  }

  private void partition(Section section, List<Condition> all) {
    section.require("key");
    Optional<PartitionKey> key = section.value("key", PartitionKey::of);
    Optional<Duration> older = section.value("olderThan", Quantities::duration);
    Optional<Duration> younger = section.value("youngerThan", Quantities::duration);
    if (!section.has("olderThan") && !section.has("youngerThan")) {
      section.problem("olderThan", "is missing, and so is youngerThan");
    }
    checkSpan(section, "olderThan", older, "youngerThan", younger);
    key.ifPresent(
        names -> {
          older.map(age -> new PartitionAge(names, Bound.AT_LEAST, age, zone)).ifPresent(all::add);
          younger.map(age -> new PartitionAge(names, Bound.AT_MOST, age, zone)).ifPresent(all::add);
        });
  }
}
