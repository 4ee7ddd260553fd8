// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import io.hdfsraid.policies.Condition.Accesses;
import io.hdfsraid.policies.Condition.Bound;
import io.hdfsraid.policies.RunSettings.Misfire;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.settings.Section;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Reads one entry of {@code policies}. */
final class PolicyReader {
  static final List<String> KEYS =
      List.of(
          "name",
          "paths",
          "excludes",
          "when",
          "action",
          "coldAfter",
          "minAge",
          "minSize",
          "accesses",
          "raidSnapshotted",
          "codec",
          "targetReplication",
          "parityReplication",
          "schedule",
          "misfire",
          "timeZone",
          "windows",
          "blackouts",
          "capacity",
          "budget",
          "reheat");

  private static final Set<String> OF_ALL =
      Set.of("name", "paths", "excludes", "when", "action", "timeZone");

  /** The further keys of a policy that unraids. It has no runs of its own to schedule or limit. */
  private static final Set<String> OF_UNRAID = Set.of("windows", "blackouts");

  private static final int MOST_ACCESSES = 999_999_999;

  private final PoliciesFile.Checks checks;
  private final ZoneId usualZone;

  PolicyReader(PoliciesFile.Checks checks, ZoneId usualZone) {
    this.checks = checks;
    this.usualZone = usualZone;
  }

  private enum Word {
    RAID,
    LEAVE,
    UNRAID
  }

  /** Empty when anything in the section is wrong; then the problems are written down. */
  Optional<Policy> read(Section section) {
    int before = section.problems();
    section.require("name", "paths");
    Word word = section.value("action", Section.oneOf(Word.class)).orElse(Word.RAID);
    checkKeys(section, word);
    Optional<String> name = section.text("name");
    List<PathGlob> paths = section.list("paths", PathGlob::of);
    if (paths.isEmpty() && section.has("paths") && section.isFine("paths")) {
      section.problem("paths", "must name at least one path");
    }
    List<PathGlob> excludes = section.list("excludes", PathGlob::of);
    ZoneId zone = section.value("timeZone", Section::zone).orElse(usualZone);
    List<Condition> when = new WhenReader(zone).read(section);
    Optional<Protection> protection = protection(section);
    Readiness readiness = readiness(section);
    RunSettings runs = runs(section, zone);
    Optional<ReheatRule> reheat = reheat(section);
    if (word == Word.RAID) {
      section.require("codec");
      boolean colderBy = when.stream().anyMatch(Condition.ColdFor.class::isInstance);
      if (!section.has("coldAfter") && !colderBy && !section.has("capacity")) {
        section.problem("coldAfter", "is missing");
      }
      checkTogether(section, readiness, when);
    }
    return section.problems() > before
        ? Optional.empty()
        : Optional.of(
            new Policy(
                name.orElseThrow(),
                paths,
                excludes,
                when,
                action(word, protection),
                readiness,
                runs,
                reheat));
  }

  private static Action action(Word word, Optional<Protection> protection) {
    return switch (word) {
      case RAID -> new Action.ToRaid(protection.orElseThrow());
      case LEAVE -> new Action.ToLeave();
      case UNRAID -> new Action.ToUnraid();
    };
  }

  private static void checkKeys(Section section, Word word) {
    if (word != Word.RAID) {
      for (String key : new TreeSet<>(section.keys())) {
        if (!OF_ALL.contains(key) && !(word == Word.UNRAID && OF_UNRAID.contains(key))) {
          section.problem(
              key,
              "means nothing with action: %s".formatted(word == Word.LEAVE ? "leave" : "unraid")
                  + (WhenReader.KEYS.contains(key) ? "; did you mean when." + key + "?" : ""));
        }
      }
    }
  }

  /** Reports conditions that exclude each other: a file that passes {@code when} is never ready. */
  private static void checkTogether(Section section, Readiness readiness, List<Condition> when) {
    for (Condition condition : when) {
      if (condition instanceof Condition.Size size
          && size.bound() == Bound.AT_MOST
          && size.bytes() < readiness.minSize()) {
        section.problem("minSize", "is larger than when.maxSize, so no file is ever ready");
      }
      if (condition instanceof Condition.Age age
          && age.bound() == Bound.AT_MOST
          && age.age().compareTo(readiness.minAge()) <= 0) {
        section.problem(
            "minAge",
            "is %s, no shorter than when.maxAge, so no file is ever ready"
                .formatted(Quantities.show(readiness.minAge())));
      }
    }
  }

  private Optional<Protection> protection(Section section) {
    Optional<String> codec = section.checked("codec", checks::problemWithCodec);
    Optional<Integer> target =
        section.value(
            "targetReplication", Section.wholeNumber(1, Protection.MAX_TARGET_REPLICATION));
    Optional<Integer> parity =
        section.value(
            "parityReplication", Section.wholeNumber(1, Protection.MAX_PARITY_REPLICATION));
    return codec.map(name -> new Protection(name, target.orElse(1), parity.orElse(1)));
  }

  private static Readiness readiness(Section section) {
    return new Readiness(
        section.value("coldAfter", Quantities::duration).orElse(Duration.ZERO),
        section.value("minAge", Quantities::duration).orElse(Readiness.DEFAULT_MIN_AGE),
        section.value("minSize", Quantities::bytes).orElse(0L),
        accesses(section),
        section.value("raidSnapshotted", Section::yesOrNo).orElse(false));
  }

  private static Optional<Accesses> accesses(Section parent) {
    return parent
        .section("accesses", List.of("atMost", "within"))
        .flatMap(
            section -> {
              section.require("atMost", "within");
              Optional<Integer> atMost =
                  section.value("atMost", Section.wholeNumber(0, MOST_ACCESSES));
              Optional<Duration> within = section.value("within", PolicyReader::aboveZero);
              return atMost.flatMap(
                  most -> within.map(time -> new Accesses(Bound.AT_MOST, most, time)));
            });
  }

  static Duration aboveZero(String text) {
    Duration duration = Quantities.duration(text);
    if (duration.isZero()) {
      throw new IllegalArgumentException("must be above 0, but is '" + text + "'");
    }
    return duration;
  }

  private RunSettings runs(Section section, ZoneId zone) {
    return new RunSettings(
        section.checked("schedule", checks::problemWithSchedule),
        section.value("misfire", Section.oneOf(Misfire.class)).orElse(Misfire.SKIP),
        zone,
        WindowReader.read(section, zone),
        section
            .section("capacity", List.of("startAbove", "stopBelow", "of"))
            .flatMap(PolicyReader::capacity),
        section
            .section("budget", List.of("bytes", "files"))
            .map(PolicyReader::budget)
            .orElse(Budget.NONE));
  }

  private static Optional<CapacityRule> capacity(Section section) {
    section.require("startAbove", "stopBelow");
    Optional<Integer> start = section.value("startAbove", Section.percent(1));
    Optional<Integer> stop = section.value("stopBelow", Section.percent(1));
    Optional<String> of = section.value("of", PolicyReader::space);
    if (start.isEmpty() || stop.isEmpty()) {
      return Optional.empty();
    }
    if (stop.get() >= start.get()) {
      section.problem(
          "stopBelow",
          "must be below startAbove, but they are %d%% and %d%%"
              .formatted(stop.get(), start.get()));
      return Optional.empty();
    }
    return Optional.of(
        new CapacityRule(start.get(), stop.get(), of.filter(space -> space.startsWith("/"))));
  }

  private static String space(String text) {
    if (!text.equals("cluster") && !text.startsWith("/")) {
      throw new IllegalArgumentException(
          "must be cluster or a directory with a space quota, but is '%s'".formatted(text));
    }
    return text;
  }

  private static Budget budget(Section section) {
    return new Budget(
        boxed(section.value("bytes", text -> positive(Quantities.bytes(text)))),
        boxed(section.value("files", Section.wholeNumber(1, MOST_ACCESSES)).map(Long::valueOf)));
  }

  private static long positive(long bytes) {
    if (bytes == 0) {
      throw new IllegalArgumentException("must be above 0; without a limit leave it out");
    }
    return bytes;
  }

  private static OptionalLong boxed(Optional<Long> value) {
    return value.map(OptionalLong::of).orElseGet(OptionalLong::empty);
  }

  private static Optional<ReheatRule> reheat(Section parent) {
    return parent
        .section("reheat", List.of("accesses", "within", "minResidence", "coolDown"))
        .flatMap(
            section -> {
              section.require("accesses", "within");
              Optional<Integer> accesses =
                  section.value("accesses", Section.wholeNumber(1, MOST_ACCESSES));
              Optional<Duration> within = section.value("within", PolicyReader::aboveZero);
              Duration residence =
                  section
                      .value("minResidence", Quantities::duration)
                      .orElse(ReheatRule.DEFAULT_MIN_RESIDENCE);
              Duration coolDown =
                  section
                      .value("coolDown", Quantities::duration)
                      .orElse(ReheatRule.DEFAULT_COOL_DOWN);
              return accesses.flatMap(
                  count -> within.map(time -> new ReheatRule(count, time, residence, coolDown)));
            });
  }
}
