// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import io.hdfsraid.policies.FileFacts.Trait;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A condition that a policy sets for a file. It depends on facts about the file and on the time
 * only. If a fact is missing, the answer says so.
 */
public sealed interface Condition {
  /** The key that sets it. */
  String key();

  /** The value of the key. */
  String wanted();

  ConditionResult ask(FileFacts file, EvaluationTime evaluation);

  /** Whether a bound is the least or the most. */
  enum Bound {
    AT_LEAST,
    AT_MOST
  }

  /** The path as a whole is like this. */
  record PathLike(PathRegex pattern) implements Condition {
    @Override
    public String key() {
      return "pathRegex";
    }

    @Override
    public String wanted() {
      return pattern.toString();
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      return ConditionResult.of(
          pattern.matches(file.path()), Detail.of("The pathRegex is %s.", pattern));
    }
  }

  /** One of these owns the file. */
  record OwnedBy(Set<String> owners) implements Condition {
    public OwnedBy {
      owners = Set.copyOf(owners);
    }

    @Override
    public String key() {
      return "owners";
    }

    @Override
    public String wanted() {
      return String.join(", ", new TreeSet<>(owners));
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      return file.owner().isEmpty()
          ? ConditionResult.unknown(Detail.text("Nobody knows who owns it."))
          : ConditionResult.of(
              owners.contains(file.owner()), Detail.of("It is owned by %s.", file.owner()));
    }
  }

  /** The file belongs to one of these groups. */
  record OfGroup(Set<String> groups) implements Condition {
    public OfGroup {
      groups = Set.copyOf(groups);
    }

    @Override
    public String key() {
      return "groups";
    }

    @Override
    public String wanted() {
      return String.join(", ", new TreeSet<>(groups));
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      return file.group().isEmpty()
          ? ConditionResult.unknown(Detail.text("Nobody knows its group."))
          : ConditionResult.of(
              groups.contains(file.group()), Detail.of("Its group is %s.", file.group()));
    }
  }

  /** The length is on this side of a number of bytes. */
  record Size(Bound bound, long bytes) implements Condition {
    @Override
    public String key() {
      return bound == Bound.AT_LEAST ? "minSize" : "maxSize";
    }

    @Override
    public String wanted() {
      return Long.toString(bytes);
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      boolean holds = bound == Bound.AT_LEAST ? file.length() >= bytes : file.length() <= bytes;
      return ConditionResult.of(
          holds, Detail.of("It has %d bytes, %s is %d.", file.length(), key(), bytes));
    }
  }

  /** HDFS stores it by one of these policies of its own. */
  record StoredBy(Set<HdfsStoragePolicy> policies) implements Condition {
    public StoredBy {
      policies = Set.copyOf(policies);
    }

    @Override
    public String key() {
      return "storagePolicies";
    }

    @Override
    public String wanted() {
      return new TreeSet<>(policies)
          .stream().map(HdfsStoragePolicy::name).collect(Collectors.joining(", "));
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      Optional<HdfsStoragePolicy> known = file.further().storagePolicy();
      return known.isEmpty()
          ? ConditionResult.unknown(Detail.text("No source tells its storage policy."))
          : ConditionResult.of(
              policies.contains(known.get()), Detail.of("Its storage policy is %s.", known.get()));
    }
  }

  /** It lies in an encryption zone, or does not. */
  record Encrypted(boolean inZone) implements Condition {
    @Override
    public String key() {
      return "encrypted";
    }

    @Override
    public String wanted() {
      return Boolean.toString(inZone);
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      boolean encrypted = file.is(Trait.ENCRYPTED);
      return ConditionResult.of(
          encrypted == inZone,
          Detail.text(encrypted ? "It is in an encryption zone." : "It is in no encryption zone."));
    }
  }

  /** There are snapshots of a directory above it, or there are none. */
  record Snapshotted(boolean below) implements Condition {
    @Override
    public String key() {
      return "snapshotted";
    }

    @Override
    public String wanted() {
      return Boolean.toString(below);
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      Optional<Boolean> known = file.isBelowSnapshots();
      return known.isEmpty()
          ? ConditionResult.unknown(
              Detail.text("No source tells whether there are snapshots above it."))
          : ConditionResult.of(
              known.get() == below,
              Detail.text(
                  known.get()
                      ? "There are snapshots of a directory above it."
                      : "There are no snapshots above it."));
    }
  }

  /** The date in its path is that long ago, or is not yet: counted from the partition's end. */
  record PartitionAge(PartitionKey partition, Bound bound, Duration age, ZoneId zone)
      implements Condition {
    @Override
    public String key() {
      return bound == Bound.AT_LEAST ? "partition.olderThan" : "partition.youngerThan";
    }

    @Override
    public String wanted() {
      return Quantities.show(age) + " by " + partition;
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      PartitionKey.Answer answer = partition.of(file.path(), zone);
      if (answer.end().isEmpty()) {
        return ConditionResult.no(answer.problem());
      }
      Instant end = answer.end().get();
      Instant change = end.plus(age);
      boolean older = !change.isAfter(evaluation.now());
      Detail detail = Detail.of("Its partition ends at %s, %s is %s.", end, key(), age);
      ConditionResult result = ConditionResult.of(older == (bound == Bound.AT_LEAST), detail);
      return older ? result : result.until(change);
    }
  }

  /** Its content was changed that long ago, or more lately. */
  record Age(Bound bound, Duration age) implements Condition {
    @Override
    public String key() {
      return bound == Bound.AT_LEAST ? "minAge" : "maxAge";
    }

    @Override
    public String wanted() {
      return Quantities.show(age);
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      Instant change = file.modified().plus(age);
      boolean reached = !change.isAfter(evaluation.now());
      Detail detail = Detail.of("It was changed at %s, %s is %s.", file.modified(), key(), age);
      ConditionResult result = ConditionResult.of(reached == (bound == Bound.AT_LEAST), detail);
      return reached ? result : result.until(change);
    }
  }

  /** The file was neither read nor written for that long. Unknown without a record of accesses. */
  record ColdFor(Duration time) implements Condition {
    @Override
    public String key() {
      return "coldAfter";
    }

    @Override
    public String wanted() {
      return Quantities.show(time);
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      if (time.isZero()) {
        return ConditionResult.yes(Detail.text("coldAfter is 0."));
      }
      AccessTracking tracking = evaluation.tracking();
      Duration grain = tracking.grainWithin(time, evaluation.now());
      Instant cold = file.lastUsed().plus(time).plus(grain);
      Detail used = Detail.of("It was last used at %s, coldAfter is %s.", file.lastUsed(), time);
      if (cold.isAfter(evaluation.now())) {
        return ConditionResult.no(
                cold.minus(grain).isAfter(evaluation.now())
                    ? used
                    : Detail.of(
                        "It was last used at %s or up to %s later, which no access time tells;"
                            + " coldAfter is %s.",
                        file.lastUsed(), grain, time))
            .until(cold);
      }
      return tracking.covers(time, evaluation.now())
          ? ConditionResult.yes(used)
          : new ConditionResult(
              ConditionResult.Answer.UNKNOWN,
              Detail.of("%s, coldAfter is %s.", tracking.sentence(), time),
              tracking.coveredFrom(time));
    }
  }

  /**
   * It was opened so often within that time, as far as that can be estimated; a count is right to
   * half an access, so that "at most 0" can ever be true of a file that was read once.
   */
  record Accesses(Bound bound, int times, Duration within) implements Condition {
    public Accesses {
      int least = bound == Bound.AT_LEAST ? 1 : 0;
      if (times < least || within.isNegative() || within.isZero()) {
        throw new IllegalArgumentException(
            "A window above 0 and %d accesses or more are needed, but it is %d within %s"
                .formatted(least, times, within));
      }
    }

    @Override
    public String key() {
      return bound == Bound.AT_LEAST ? "accesses.atLeast" : "accesses.atMost";
    }

    @Override
    public String wanted() {
      return times + " within " + Quantities.show(within);
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      Optional<AccessRate> rate = file.further().accessRate();
      double count = rate.map(known -> known.within(within, evaluation.now())).orElse(0.0);
      boolean tooMany = count > limit();
      Detail counted =
          Detail.of(
              "It was opened about %s times within %s, " + key() + " is %s.",
              Math.round(count * 10) / 10.0,
              within,
              times);
      if (tooMany) {
        // The counted accesses have happened, however short the record is.
        return ConditionResult.of(bound == Bound.AT_LEAST, counted)
            .until(rate.orElseThrow().fallsTo(limit(), within, evaluation.now()));
      }
      AccessTracking tracking = evaluation.tracking();
      return tracking.counts(within, evaluation.now())
          ? ConditionResult.of(bound == Bound.AT_MOST, counted)
          : new ConditionResult(
              ConditionResult.Answer.UNKNOWN,
              Detail.of("%s, %s looks back %s.", tracking.countingSentence(), key(), within),
              tracking.countedFrom(within));
    }

    /** What lies between too few and enough, or enough and too many. */
    private double limit() {
      return bound == Bound.AT_LEAST ? times - 0.5 : times + 0.5;
    }
  }

  /** It was not given its replicas back, for being read again, within that time. */
  record CooledDown(Duration time) implements Condition {
    @Override
    public String key() {
      return "reheat.coolDown";
    }

    @Override
    public String wanted() {
      return Quantities.show(time);
    }

    @Override
    public ConditionResult ask(FileFacts file, EvaluationTime evaluation) {
      Optional<Instant> reheated = file.further().reheatedAt();
      if (reheated.isEmpty()) {
        return ConditionResult.yes(Detail.text("It was never reheated."));
      }
      Instant over = reheated.get().plus(time);
      Detail detail = Detail.of("It was reheated at %s, coolDown is %s.", reheated.get(), time);
      return over.isAfter(evaluation.now())
          ? ConditionResult.no(detail).until(over)
          : ConditionResult.yes(detail);
    }
  }
}
