package io.hdfsraid.raidnode.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.policies.AccessLooks;
import io.hdfsraid.policies.AccessRate;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** The tables of the catalog: key and value format beside the name. */
final class Tables {
  private Tables() {}

  static final Format<Long> INODE =
      new Format<>(FieldWriter::ordered, bytes -> FieldReader.ordered(bytes, 0));

  static final Format<Instant> TIME =
      new Format<>(
          at -> FieldWriter.ordered(at.toEpochMilli()),
          bytes -> Instant.ofEpochMilli(FieldReader.ordered(bytes, 0)));

  static final Format<Boolean> PRESENT = new Format<>(here -> new byte[0], bytes -> true);

  static final Format<StripeKey> STRIPE =
      new Format<>(
          stripe -> FieldWriter.ordered(stripe.parityInode(), stripe.index()),
          bytes -> stripeAt(bytes, 0));

  static final Format<Urgency> URGENCY =
      new Format<>(
          urgency ->
              FieldWriter.ordered(
                  urgency.furtherLosses(),
                  urgency.since().toEpochMilli(),
                  urgency.stripe().parityInode(),
                  urgency.stripe().index()),
          bytes ->
              new Urgency(
                  Math.toIntExact(FieldReader.ordered(bytes, 0)),
                  Instant.ofEpochMilli(FieldReader.ordered(bytes, 1)),
                  stripeAt(bytes, 2)));

  /** A place in the order in which postponed repairs are tried again. */
  record Waking(Instant at, StripeKey stripe) implements Comparable<Waking> {
    private static final Comparator<Waking> ORDER =
        Comparator.comparing(Waking::at).thenComparing(Waking::stripe);

    /** Of one that is tried again at a time; the others have no place in it. */
    static Optional<Waking> of(RepairRecord repair) {
      return repair.wakeAt().map(at -> new Waking(at, repair.stripe()));
    }

    @Override
    public int compareTo(Waking other) {
      return ORDER.compare(this, other);
    }
  }

  static final Format<Waking> WAKING =
      new Format<>(
          waking ->
              FieldWriter.ordered(
                  waking.at.toEpochMilli(), waking.stripe.parityInode(), waking.stripe.index()),
          bytes ->
              new Waking(Instant.ofEpochMilli(FieldReader.ordered(bytes, 0)), stripeAt(bytes, 1)));

  private static StripeKey stripeAt(byte[] key, int index) {
    return new StripeKey(
        FieldReader.ordered(key, index), Math.toIntExact(FieldReader.ordered(key, index + 1)));
  }

  /** A place in the history; the number keeps apart what happened in one millisecond. */
  record Moment(Instant when, long number) {}

  static final Format<Moment> MOMENT =
      new Format<>(
          moment -> FieldWriter.ordered(moment.when.toEpochMilli(), moment.number),
          bytes ->
              new Moment(
                  Instant.ofEpochMilli(FieldReader.ordered(bytes, 0)),
                  FieldReader.ordered(bytes, 1)));

  static final Format<String> TEXT =
      new Format<>(text -> text.getBytes(UTF_8), bytes -> new String(bytes, UTF_8));

  /** A file in the list of those with one status. */
  record Listed(FileStatus status, long inode) {
    static Listed of(FileRecord file) {
      return new Listed(file.status(), file.inode());
    }
  }

  static final Format<Listed> LISTED =
      new Format<>(
          listed -> {
            byte[] tag = (listed.status.tag() + "/").getBytes(UTF_8);
            byte[] inode = FieldWriter.ordered(listed.inode);
            byte[] key = new byte[tag.length + inode.length];
            System.arraycopy(tag, 0, key, 0, tag.length);
            System.arraycopy(inode, 0, key, tag.length, inode.length);
            return key;
          },
          bytes -> {
            String tag = new String(bytes, 0, bytes.length - Long.BYTES - 1, UTF_8);
            byte[] inode = new byte[Long.BYTES];
            System.arraycopy(bytes, bytes.length - Long.BYTES, inode, 0, Long.BYTES);
            return new Listed(FileStatus.ofTag(tag), FieldReader.ordered(inode, 0));
          });

  /** What totals are kept by. */
  record Kind(FileStatus status, Optional<Reason> reason) {
    static Kind of(Total total) {
      return new Kind(total.status(), total.reason());
    }

    static Kind of(FileRecord file) {
      return new Kind(file.status(), file.standing().reason());
    }
  }

  static final Format<Kind> KIND =
      new Format<>(
          kind ->
              (kind.status.tag() + "/" + kind.reason.map(Reason::name).orElse("")).getBytes(UTF_8),
          bytes -> {
            String text = new String(bytes, UTF_8);
            int slash = text.indexOf('/');
            return new Kind(
                FileStatus.ofTag(text.substring(0, slash)), reason(text.substring(slash + 1)));
          });

  /**
   * Whose turn it is to be scrubbed.
   *
   * @param done false for what never was: comes first
   * @param when it was, or has been met
   */
  record Turn(ScrubDepth depth, boolean done, Instant when, long id) {
    static Turn of(ScrubDepth depth, ScrubRecord record) {
      Optional<Instant> done = record.at(depth).done();
      return new Turn(depth, done.isPresent(), done.orElse(record.since()), record.id());
    }

    /** The first place after this. */
    Turn next() {
      return new Turn(depth, done, when, id + 1);
    }

    /** The last place before this. */
    Turn previous() {
      return new Turn(depth, done, when, id - 1);
    }
  }

  static final Format<Turn> TURN =
      new Format<>(
          turn ->
              FieldWriter.ordered(
                  turn.depth.number(), turn.done ? 1 : 0, turn.when.toEpochMilli(), turn.id),
          bytes ->
              new Turn(
                  ScrubDepth.ofNumber(FieldReader.ordered(bytes, 0)),
                  FieldReader.ordered(bytes, 1) == 1,
                  Instant.ofEpochMilli(FieldReader.ordered(bytes, 2)),
                  FieldReader.ordered(bytes, 3)));

  static final Format<FileRecord> FILE = new Format<>(Tables::writeFile, Tables::readFile);

  static final Format<RepairRecord> REPAIR = new Format<>(Tables::writeRepair, Tables::readRepair);

  static final Format<Outcome> OUTCOME = new Format<>(Tables::writeOutcome, Tables::readOutcome);

  static final Format<Total> TOTAL = new Format<>(Tables::writeTotal, Tables::readTotal);

  static final Format<ScrubRecord> SCRUB = new Format<>(Tables::writeScrub, Tables::readScrub);

  static final Format<List<ReplicaFault>> FAULTS =
      new Format<>(Tables::writeFaults, Tables::readFaults);

  static final Format<AccessLooks> LOOKS = new Format<>(Tables::writeLooks, Tables::readLooks);

  static final Table<Long, FileRecord> FILES = new Table<>("files", INODE, FILE);
  static final Table<Listed, Boolean> BY_STATUS = new Table<>("by-status", LISTED, PRESENT);
  static final Table<Kind, Total> TOTALS = new Table<>("totals", KIND, TOTAL);
  static final Table<StripeKey, RepairRecord> REPAIRS = new Table<>("repairs", STRIPE, REPAIR);
  static final Table<Urgency, Boolean> REPAIRS_BY_URGENCY =
      new Table<>("repairs-by-urgency", URGENCY, PRESENT);
  static final Table<Urgency, Boolean> REPAIRS_READY =
      new Table<>("repairs-ready", URGENCY, PRESENT);
  static final Table<Waking, Boolean> REPAIRS_WAKING =
      new Table<>("repairs-waking", WAKING, PRESENT);
  static final Table<Moment, Outcome> HISTORY = new Table<>("history", MOMENT, OUTCOME);
  static final Table<Long, Long> GROUPS = new Table<>("groups", INODE, INODE);
  static final Table<Long, Instant> REHEATS = new Table<>("reheats", INODE, TIME);
  static final Table<Long, AccessLooks> EARLIER_USE = new Table<>("earlier-use", INODE, LOOKS);
  static final Table<Long, Total> NEWCOMERS = new Table<>("newcomers", INODE, TOTAL);
  static final Table<Long, ScrubRecord> SCRUBS = new Table<>("scrubs", INODE, SCRUB);
  static final Table<Turn, Boolean> SCRUB_TURNS = new Table<>("scrub-turns", TURN, PRESENT);
  static final Table<StripeKey, List<ReplicaFault>> ROTTEN = new Table<>("rotten", STRIPE, FAULTS);
  static final Table<String, String> META = new Table<>("meta", TEXT, TEXT);

  static final List<Table<?, ?>> ALL =
      List.of(
          FILES,
          BY_STATUS,
          TOTALS,
          REPAIRS,
          REPAIRS_BY_URGENCY,
          REPAIRS_READY,
          REPAIRS_WAKING,
          HISTORY,
          GROUPS,
          REHEATS,
          EARLIER_USE,
          NEWCOMERS,
          SCRUBS,
          SCRUB_TURNS,
          ROTTEN,
          META);

  private static byte[] writeFile(FileRecord file) {
    FileFacts facts = file.facts();
    FieldWriter out = new FieldWriter(1);
    out.number(facts.inodeId())
        .text(facts.path())
        .number(facts.length())
        .number(facts.blockSize())
        .number(facts.blocks())
        .number(facts.replication())
        .instant(facts.modified())
        .optional(facts.accessed(), out::instant)
        .text(facts.owner())
        .text(facts.group())
        .number(facts.traits().size());
    facts.traits().stream().map(Trait::name).sorted().forEach(out::text);
    out.optional(boxed(facts.raidedTo()), out::number)
        .optional(boxed(facts.snapshotReplication()), out::number);
    Standing standing = file.standing();
    out.text(standing.status().tag())
        .text(standing.reason().map(Reason::name).orElse(""))
        .text(standing.detail())
        .text(standing.by())
        .instant(standing.since())
        .optional(standing.changesAt(), out::instant)
        .optional(
            file.parity(),
            parity ->
                out.text(parity.codec())
                    .number(parity.originalReplication())
                    .number(parity.targetReplication())
                    .number(parity.parityReplication())
                    .number(parity.stripes())
                    .number(parity.bytes()))
        .instant(file.seen());
    return out.toBytes();
  }

  private static FileRecord readFile(byte[] bytes) {
    FieldReader in = new FieldReader(bytes, 1);
    long inode = in.number();
    FileFacts facts =
        new FileFacts(
            in.text(),
            inode,
            in.number(),
            in.number(),
            in.smallNumber(),
            in.smallNumber(),
            in.instant(),
            in.optional(in::instant),
            in.text(),
            in.text(),
            traits(in),
            unboxed(in.optional(in::smallNumber)),
            unboxed(in.optional(in::smallNumber)));
    return new FileRecord(
        facts,
        new Standing(
            FileStatus.ofTag(in.text()),
            reason(in.text()),
            in.text(),
            in.text(),
            in.instant(),
            in.optional(in::instant)),
        in.optional(
            () ->
                new Parity(
                    in.text(),
                    in.smallNumber(),
                    in.smallNumber(),
                    in.smallNumber(),
                    in.smallNumber(),
                    in.number())),
        in.instant());
  }

  private static byte[] writeRepair(RepairRecord repair) {
    FieldWriter out = new FieldWriter(1);
    out.number(repair.stripe().parityInode())
        .number(repair.stripe().index())
        .number(repair.inode())
        .text(repair.path())
        .text(repair.codec())
        .number(repair.lost().size());
    repair.lost().stream().forEach(out::number);
    return out.number(repair.furtherLosses())
        .text(repair.status().tag())
        .text(repair.detectedBy())
        .instant(repair.since())
        .number(repair.attempts())
        .text(repair.reason())
        .optional(repair.wakeAt(), out::instant)
        .number(repair.bytesRead())
        .toBytes();
  }

  private static RepairRecord readRepair(byte[] bytes) {
    FieldReader in = new FieldReader(bytes, 1);
    return new RepairRecord(
        new StripeKey(in.number(), in.smallNumber()),
        in.number(),
        in.text(),
        in.text(),
        units(in),
        in.smallNumber(),
        RepairStatus.ofTag(in.text()),
        in.text(),
        in.instant(),
        in.smallNumber(),
        in.text(),
        in.optional(in::instant),
        in.number());
  }

  private static byte[] writeOutcome(Outcome outcome) {
    FieldWriter out = new FieldWriter(1);
    return out.instant(outcome.at())
        .text(outcome.event())
        .optional(outcome.inode(), out::number)
        .text(outcome.path())
        .number(outcome.succeeded() ? 1 : 0)
        .text(outcome.by())
        .text(outcome.detail())
        .number(outcome.bytesRead())
        .number(outcome.bytesWritten())
        .toBytes();
  }

  private static Outcome readOutcome(byte[] bytes) {
    FieldReader in = new FieldReader(bytes, 1);
    return new Outcome(
        in.instant(),
        in.text(),
        in.optional(in::number),
        in.text(),
        in.number() == 1,
        in.text(),
        in.text(),
        in.number(),
        in.number());
  }

  private static byte[] writeTotal(Total total) {
    return new FieldWriter(1)
        .text(total.status().tag())
        .text(total.reason().map(Reason::name).orElse(""))
        .number(total.files())
        .number(total.bytes())
        .number(total.physicalBytes())
        .number(total.parityBytes())
        .number(total.replicasBefore())
        .toBytes();
  }

  private static Total readTotal(byte[] bytes) {
    FieldReader in = new FieldReader(bytes, 1);
    return new Total(
        FileStatus.ofTag(in.text()),
        reason(in.text()),
        in.number(),
        in.number(),
        in.number(),
        in.number(),
        in.number());
  }

  private static byte[] writeScrub(ScrubRecord scrub) {
    FieldWriter out =
        new FieldWriter(1)
            .number(scrub.id())
            .number(scrub.parityInode())
            .instant(scrub.since())
            .number(scrub.bytes());
    for (ScrubDepth depth : List.of(ScrubDepth.PRESENCE, ScrubDepth.DEEP)) {
      ScrubRecord.Progress progress = scrub.at(depth);
      out.optional(progress.done(), out::instant)
          .optional(progress.began(), out::instant)
          .number(progress.next())
          .number(progress.gaps() ? 1 : 0)
          .optional(progress.retryAt(), out::instant);
    }
    return out.toBytes();
  }

  private static ScrubRecord readScrub(byte[] bytes) {
    FieldReader in = new FieldReader(bytes, 1);
    return new ScrubRecord(
        in.number(), in.number(), in.instant(), in.number(), progress(in), progress(in));
  }

  private static ScrubRecord.Progress progress(FieldReader in) {
    return new ScrubRecord.Progress(
        in.optional(in::instant),
        in.optional(in::instant),
        in.smallNumber(),
        in.number() == 1,
        in.optional(in::instant));
  }

  private static byte[] writeLooks(AccessLooks looks) {
    FieldWriter out = new FieldWriter(1).number(looks.looks().size());
    for (AccessLooks.Look look : looks.looks()) {
      out.instant(look.at())
          .number(Double.doubleToLongBits(look.rate().smoothedCount()))
          .instant(look.rate().at())
          .number(look.rate().halfLife().toMillis());
    }
    return out.toBytes();
  }

  private static AccessLooks readLooks(byte[] bytes) {
    FieldReader in = new FieldReader(bytes, 1);
    List<AccessLooks.Look> looks = new ArrayList<>();
    for (long left = in.number(); left > 0; left--) {
      looks.add(
          new AccessLooks.Look(
              in.instant(),
              new AccessRate(
                  Double.longBitsToDouble(in.number()),
                  in.instant(),
                  Duration.ofMillis(in.number()))));
    }
    return new AccessLooks(looks);
  }

  private static byte[] writeFaults(List<ReplicaFault> faults) {
    FieldWriter out = new FieldWriter(1).number(faults.size());
    for (ReplicaFault fault : faults) {
      out.number(fault.unit())
          .number(fault.block().id())
          .number(fault.block().generationStamp())
          .number(fault.block().length())
          .text(fault.node())
          .instant(fault.since())
          .text(fault.message());
    }
    return out.toBytes();
  }

  private static List<ReplicaFault> readFaults(byte[] bytes) {
    FieldReader in = new FieldReader(bytes, 1);
    List<ReplicaFault> faults = new ArrayList<>();
    for (long left = in.number(); left > 0; left--) {
      faults.add(
          new ReplicaFault(
              in.smallNumber(),
              new Block(in.number(), in.number(), in.number()),
              in.text(),
              in.instant(),
              in.text()));
    }
    return List.copyOf(faults);
  }

  private static Set<Trait> traits(FieldReader in) {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    for (long left = in.number(); left > 0; left--) {
      traits.add(Trait.valueOf(in.text()));
    }
    return traits;
  }

  private static UnitSet units(FieldReader in) {
    List<Integer> units = new ArrayList<>();
    for (long left = in.number(); left > 0; left--) {
      units.add(in.smallNumber());
    }
    return UnitSet.of(units);
  }

  private static Optional<Reason> reason(String name) {
    // One that a version before this had, or one after it: the next scan judges the file anew.
    return Stream.of(Reason.values()).filter(reason -> reason.name().equals(name)).findFirst();
  }

  private static Optional<Long> boxed(OptionalInt value) {
    return value.isPresent() ? Optional.of((long) value.getAsInt()) : Optional.empty();
  }

  private static OptionalInt unboxed(Optional<Integer> value) {
    return value.isPresent() ? OptionalInt.of(value.get()) : OptionalInt.empty();
  }
}
