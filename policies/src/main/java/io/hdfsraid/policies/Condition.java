package io.hdfsraid.policies;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.pattern.LinearPattern;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Something that a policy asks of a file. It answers from facts about the file and the time alone;
 * where the fact is missing, it says so and does not guess.
 */
public sealed interface Condition {
  /** The key that sets it. */
  String key();

  /** The value of the key. */
  String wanted();

  Finding ask(FileFacts file, Moment moment);

  /** Which side of a number. */
  enum Bound {
    AT_LEAST,
    AT_MOST
  }

  /** The path as a whole is like this. */
  record PathLike(LinearPattern pattern) implements Condition {
    @Override
    public String key() {
      return "pathRegex";
    }

    @Override
    public String wanted() {
      return pattern.toString();
    }

    @Override
    public Finding ask(FileFacts file, Moment moment) {
      return Finding.of(pattern.matches(file.path()), Detail.of("The pathRegex is %s.", pattern));
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
    public Finding ask(FileFacts file, Moment moment) {
      return file.owner().isEmpty()
          ? Finding.unknown(Detail.text("Nobody knows who owns it."))
          : Finding.of(
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
    public Finding ask(FileFacts file, Moment moment) {
      return file.group().isEmpty()
          ? Finding.unknown(Detail.text("Nobody knows its group."))
          : Finding.of(groups.contains(file.group()), Detail.of("Its group is %s.", file.group()));
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
    public Finding ask(FileFacts file, Moment moment) {
      boolean holds = bound == Bound.AT_LEAST ? file.length() >= bytes : file.length() <= bytes;
      return Finding.of(
          holds, Detail.of("It has %d bytes, %s is %d.", file.length(), key(), bytes));
    }
  }

  /** HDFS stores it by one of these policies of its own. */
  record StoredBy(Set<StoragePolicy> policies) implements Condition {
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
          .stream().map(StoragePolicy::name).collect(Collectors.joining(", "));
    }

    @Override
    public Finding ask(FileFacts file, Moment moment) {
      Optional<StoragePolicy> known = file.further().storagePolicy();
      return known.isEmpty()
          ? Finding.unknown(Detail.text("No source tells its storage policy."))
          : Finding.of(
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
    public Finding ask(FileFacts file, Moment moment) {
      boolean encrypted = file.is(Trait.ENCRYPTED);
      return Finding.of(
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
    public Finding ask(FileFacts file, Moment moment) {
      Optional<Boolean> known = file.isBelowSnapshots();
      return known.isEmpty()
          ? Finding.unknown(Detail.text("No source tells whether there are snapshots above it."))
          : Finding.of(
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
    public Finding ask(FileFacts file, Moment moment) {
      PartitionKey.Answer answer = partition.of(file.path(), zone);
      if (answer.end().isEmpty()) {
        return Finding.no(answer.problem());
      }
      Instant end = answer.end().get();
      Instant change = end.plus(age);
      boolean older = !change.isAfter(moment.now());
      Detail detail = Detail.of("Its partition ends at %s, %s is %s.", end, key(), age);
      Finding finding = Finding.of(older == (bound == Bound.AT_LEAST), detail);
      return older ? finding : finding.until(change);
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
    public Finding ask(FileFacts file, Moment moment) {
      Instant change = file.modified().plus(age);
      boolean reached = !change.isAfter(moment.now());
      Detail detail = Detail.of("It was changed at %s, %s is %s.", file.modified(), key(), age);
      Finding finding = Finding.of(reached == (bound == Bound.AT_LEAST), detail);
      return reached ? finding : finding.until(change);
    }
  }

  /** Nobody has read or written it for that long; without a record of accesses nobody knows. */
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
    public Finding ask(FileFacts file, Moment moment) {
      if (time.isZero()) {
        return Finding.yes(Detail.text("coldAfter is 0."));
      }
      AccessTracking tracking = moment.tracking();
      Duration grain = tracking.grainWithin(time, moment.now());
      Instant cold = file.lastUsed().plus(time).plus(grain);
      Detail used = Detail.of("It was last used at %s, coldAfter is %s.", file.lastUsed(), time);
      if (cold.isAfter(moment.now())) {
        return Finding.no(
                cold.minus(grain).isAfter(moment.now())
                    ? used
                    : Detail.of(
                        "It was last used at %s or up to %s later, which no access time tells; coldAfter is %s.",
                        file.lastUsed(), grain, time))
            .until(cold);
      }
      return tracking.covers(time, moment.now())
          ? Finding.yes(used)
          : new Finding(
              Finding.Answer.UNKNOWN,
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
    public Finding ask(FileFacts file, Moment moment) {
      Optional<AccessRate> rate = file.further().accessRate();
      double count = rate.map(known -> known.within(within, moment.now())).orElse(0.0);
      boolean tooMany = count > limit();
      Detail counted =
          Detail.of(
              "It was opened about %s times within %s, " + key() + " is %s.",
              Math.round(count * 10) / 10.0,
              within,
              times);
      if (tooMany) {
        // What was counted was counted, however short the record is.
        return Finding.of(bound == Bound.AT_LEAST, counted)
            .until(rate.orElseThrow().fallsTo(limit(), within, moment.now()));
      }
      AccessTracking tracking = moment.tracking();
      return tracking.counts(within, moment.now())
          ? Finding.of(bound == Bound.AT_MOST, counted)
          : new Finding(
              Finding.Answer.UNKNOWN,
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
    public Finding ask(FileFacts file, Moment moment) {
      Optional<Instant> reheated = file.further().reheatedAt();
      if (reheated.isEmpty()) {
        return Finding.yes(Detail.text("It was never reheated."));
      }
      Instant over = reheated.get().plus(time);
      Detail detail = Detail.of("It was reheated at %s, coolDown is %s.", reheated.get(), time);
      return over.isAfter(moment.now()) ? Finding.no(detail).until(over) : Finding.yes(detail);
    }
  }
}
