// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.policies.AccessRate;
import io.hdfsraid.policies.AccessSamples;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Further;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.access.Cause;
import io.hdfsraid.recency.rocksdb.Format;
import io.hdfsraid.recency.rocksdb.KeyNumber;
import io.hdfsraid.recency.rocksdb.RecordReader;
import io.hdfsraid.recency.rocksdb.RecordWriter;
import io.hdfsraid.recency.rocksdb.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The tables of the catalog: the name, the key format and the value format of each. */
final class Tables {
  private static final int REPAIR_VERSION = 2;

  /** Does not say since when a stripe is at risk. */
  private static final int REPAIR_WITHOUT_RISK = 1;

  private static final int OUTCOME_VERSION = 3;
  private static final int OUTCOME_WITHOUT_EPOCH = 2;

  private Tables() {}

  static final Format<Long> INODE = new Format<>(KeyNumber::key, bytes -> KeyNumber.nth(bytes, 0));

  static final Format<Instant> TIME =
      new Format<>(
          at -> KeyNumber.key(at.toEpochMilli()),
          bytes -> Instant.ofEpochMilli(KeyNumber.nth(bytes, 0)));

  static final Format<Boolean> PRESENT = new Format<>(here -> new byte[0], bytes -> true);

  static final Format<StripeKey> STRIPE =
      new Format<>(
          stripe -> KeyNumber.key(stripe.parityInode(), stripe.index()),
          bytes -> stripeAt(bytes, 0));

  static final Format<Urgency> URGENCY =
      new Format<>(
          urgency ->
              KeyNumber.key(
                  urgency.furtherLosses(),
                  urgency.since().toEpochMilli(),
                  urgency.stripe().parityInode(),
                  urgency.stripe().index()),
          bytes ->
              new Urgency(
                  Math.toIntExact(KeyNumber.nth(bytes, 0)),
                  Instant.ofEpochMilli(KeyNumber.nth(bytes, 1)),
                  stripeAt(bytes, 2)));

  /** A place in the order in which postponed repairs are tried again. */
  record Waking(Instant at, StripeKey stripe) implements Comparable<Waking> {
    private static final Comparator<Waking> ORDER =
        Comparator.comparing(Waking::at).thenComparing(Waking::stripe);

    /** Of one that is tried again at a time; the others have no place in it. */
    static Optional<Waking> of(RepairState repair) {
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
              KeyNumber.key(
                  waking.at.toEpochMilli(), waking.stripe.parityInode(), waking.stripe.index()),
          bytes -> new Waking(Instant.ofEpochMilli(KeyNumber.nth(bytes, 0)), stripeAt(bytes, 1)));

  private static StripeKey stripeAt(byte[] key, int index) {
    return new StripeKey(KeyNumber.nth(key, index), Math.toIntExact(KeyNumber.nth(key, index + 1)));
  }

  /** A place in the history; the number keeps apart what happened in one millisecond. */
  record Moment(Instant when, long number) {}

  static final Format<Moment> MOMENT =
      new Format<>(
          moment -> KeyNumber.key(moment.when.toEpochMilli(), moment.number),
          bytes ->
              new Moment(Instant.ofEpochMilli(KeyNumber.nth(bytes, 0)), KeyNumber.nth(bytes, 1)));

  static final Format<String> TEXT =
      new Format<>(text -> text.getBytes(UTF_8), bytes -> new String(bytes, UTF_8));

  /** A file in the list of those with one status. */
  record Listed(FileState state, long inode) {
    static Listed of(FileRecord file) {
      return new Listed(file.state(), file.inode());
    }
  }

  static final Format<Listed> LISTED =
      new Format<>(
          listed -> {
            byte[] tag = (listed.state.tag() + "/").getBytes(UTF_8);
            byte[] inode = KeyNumber.key(listed.inode);
            byte[] key = new byte[tag.length + inode.length];
            System.arraycopy(tag, 0, key, 0, tag.length);
            System.arraycopy(inode, 0, key, tag.length, inode.length);
            return key;
          },
          bytes -> {
            String tag = new String(bytes, 0, bytes.length - Long.BYTES - 1, UTF_8);
            byte[] inode = new byte[Long.BYTES];
            System.arraycopy(bytes, bytes.length - Long.BYTES, inode, 0, Long.BYTES);
            return new Listed(FileState.ofTag(tag), KeyNumber.nth(inode, 0));
          });

  /** What totals are kept by. */
  record Kind(FileState state, Optional<Reason> reason) {
    static Kind of(Total total) {
      return new Kind(total.state(), total.reason());
    }

    static Kind of(FileRecord file) {
      return new Kind(file.state(), file.progress().reason());
    }
  }

  static final Format<Kind> KIND =
      new Format<>(
          kind ->
              (kind.state.tag() + "/" + kind.reason.map(Reason::name).orElse("")).getBytes(UTF_8),
          bytes -> {
            String text = new String(bytes, UTF_8);
            int slash = text.indexOf('/');
            return new Kind(
                FileState.ofTag(text.substring(0, slash)), reason(text.substring(slash + 1)));
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
              KeyNumber.key(
                  turn.depth.number(), turn.done ? 1 : 0, turn.when.toEpochMilli(), turn.id),
          bytes ->
              new Turn(
                  ScrubDepth.ofNumber(KeyNumber.nth(bytes, 0)),
                  KeyNumber.nth(bytes, 1) == 1,
                  Instant.ofEpochMilli(KeyNumber.nth(bytes, 2)),
                  KeyNumber.nth(bytes, 3)));

  /**
   * A replica that was read in full to encode its block.
   *
   * @param generationStamp of the block then
   * @param node the uuid of the DataNode, which has one replica of a block at most
   */
  record EncodingRead(long generationStamp, String node, Instant at) {}

  static final Format<EncodingRead> ENCODING_READ =
      new Format<>(
          read ->
              RecordWriter.ofVersion(1)
                  .signed(read.generationStamp)
                  .text(read.node)
                  .instant(read.at)
                  .toBytes(),
          bytes -> {
            RecordReader in = RecordReader.ofVersion(1, bytes);
            return new EncodingRead(in.signed(), in.text(), in.instant());
          });

  static final Format<FileRecord> FILE = new Format<>(Tables::writeFile, Tables::readFile);

  static final Format<RepairState> REPAIR = new Format<>(Tables::writeRepair, Tables::readRepair);

  static final Format<HistoryRecord> OUTCOME =
      new Format<>(Tables::writeOutcome, Tables::readOutcome);

  static final Format<Total> TOTAL = new Format<>(Tables::writeTotal, Tables::readTotal);

  static final Format<ScrubRecord> SCRUB = new Format<>(Tables::writeScrub, Tables::readScrub);

  static final Format<List<ReplicaFault>> FAULTS =
      new Format<>(Tables::writeFaults, Tables::readFaults);

  static final Format<AccessSamples> LOOKS = new Format<>(Tables::writeLooks, Tables::readLooks);

  static final Table<Long, FileRecord> FILES = new Table<>("files", INODE, FILE);
  static final Table<Listed, Boolean> BY_STATUS = new Table<>("by-status", LISTED, PRESENT);
  static final Table<Kind, Total> TOTALS = new Table<>("totals", KIND, TOTAL);
  static final Table<StripeKey, RepairState> REPAIRS = new Table<>("repairs", STRIPE, REPAIR);
  static final Table<Urgency, Boolean> REPAIRS_BY_URGENCY =
      new Table<>("repairs-by-urgency", URGENCY, PRESENT);
  static final Table<Urgency, Boolean> REPAIRS_READY =
      new Table<>("repairs-ready", URGENCY, PRESENT);
  static final Table<Waking, Boolean> REPAIRS_WAKING =
      new Table<>("repairs-waking", WAKING, PRESENT);
  static final Table<Moment, HistoryRecord> HISTORY = new Table<>("history", MOMENT, OUTCOME);
  static final Table<Long, Long> GROUPS = new Table<>("groups", INODE, INODE);
  static final Table<Long, Instant> REHEATS = new Table<>("reheats", INODE, TIME);
  static final Table<Long, Instant> CHANGED = new Table<>("changed", INODE, TIME);
  static final Table<Long, Instant> CHANGED_ACCESS = new Table<>("changed-access", INODE, TIME);
  static final Table<Long, AccessSamples> EARLIER_USE = new Table<>("earlier-use", INODE, LOOKS);
  static final Table<Long, Total> NEWCOMERS = new Table<>("newcomers", INODE, TOTAL);
  static final Table<Long, ScrubRecord> SCRUBS = new Table<>("scrubs", INODE, SCRUB);
  static final Table<Turn, Boolean> SCRUB_TURNS = new Table<>("scrub-turns", TURN, PRESENT);
  static final Table<StripeKey, List<ReplicaFault>> ROTTEN = new Table<>("rotten", STRIPE, FAULTS);
  static final Table<Long, EncodingRead> ENCODING_READS =
      new Table<>("encoding-reads", INODE, ENCODING_READ);
  static final Table<Long, String> TASKS = new Table<>("tasks", INODE, TEXT);
  static final Table<Long, String> TASK_REPORTS = new Table<>("task-reports", INODE, TEXT);
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
          CHANGED,
          CHANGED_ACCESS,
          EARLIER_USE,
          NEWCOMERS,
          SCRUBS,
          SCRUB_TURNS,
          ROTTEN,
          ENCODING_READS,
          TASKS,
          TASK_REPORTS,
          META);

  private static byte[] writeFile(FileRecord file) {
    FileFacts facts = file.facts();
    RecordWriter out = RecordWriter.ofVersion(1);
    out.signed(facts.inodeId())
        .text(facts.path())
        .signed(facts.length())
        .signed(facts.blockSize())
        .signed(facts.blocks())
        .signed(facts.replication())
        .instant(facts.modified())
        .optional(facts.accessed(), out::instant)
        .text(facts.owner())
        .text(facts.group())
        .signed(facts.traits().size());
    facts.traits().stream().map(Trait::name).sorted().forEach(out::text);
    out.optional(boxed(facts.raidedTo()), out::signed)
        .optional(boxed(facts.snapshotReplication()), out::signed);
    FileProgress progress = file.progress();
    out.text(progress.state().tag())
        .text(progress.reason().map(Reason::name).orElse(""))
        .text(progress.detail())
        .text(progress.by())
        .instant(progress.since())
        .optional(progress.changesAt(), out::instant)
        .optional(
            file.parity(),
            parity ->
                out.text(parity.codec())
                    .signed(parity.originalReplication())
                    .signed(parity.targetReplication())
                    .signed(parity.parityReplication())
                    .signed(parity.stripes())
                    .signed(parity.bytes()))
        .instant(file.seen());
    return out.toBytes();
  }

  private static FileRecord readFile(byte[] bytes) {
    RecordReader in = RecordReader.ofVersion(1, bytes);
    long inode = in.signed();
    FileFacts facts =
        new FileFacts(
            in.text(),
            inode,
            in.signed(),
            in.signed(),
            in.signedInt(),
            in.signedInt(),
            in.instant(),
            in.optional(in::instant),
            in.text(),
            in.text(),
            traits(in),
            unboxed(in.optional(in::signedInt)),
            unboxed(in.optional(in::signedInt)),
            Further.NOTHING);
    return new FileRecord(
        facts,
        new FileProgress(
            FileState.ofTag(in.text()),
            reason(in.text()),
            in.text(),
            in.text(),
            in.instant(),
            in.optional(in::instant)),
        in.optional(
            () ->
                new Parity(
                    in.text(),
                    in.signedInt(),
                    in.signedInt(),
                    in.signedInt(),
                    in.signedInt(),
                    in.signed())),
        in.instant());
  }

  private static byte[] writeRepair(RepairState repair) {
    RecordWriter out = RecordWriter.ofVersion(REPAIR_VERSION);
    out.signed(repair.stripe().parityInode())
        .signed(repair.stripe().index())
        .signed(repair.inode())
        .text(repair.path())
        .text(repair.codec())
        .signed(repair.lost().size());
    repair.lost().stream().forEach(out::signed);
    return out.signed(repair.furtherLosses())
        .text(repair.status().tag())
        .text(repair.detectedBy())
        .instant(repair.since())
        .signed(repair.attempts())
        .text(repair.reason())
        .optional(repair.wakeAt(), out::instant)
        .signed(repair.bytesRead())
        .instant(repair.damage().atRiskSince())
        .toBytes();
  }

  private static RepairState readRepair(byte[] bytes) {
    RecordReader in = new RecordReader(bytes);
    int version = in.octet();
    if (version != REPAIR_WITHOUT_RISK) {
      RecordReader.requireVersion(REPAIR_VERSION, version);
    }
    StripeKey key = new StripeKey(in.signed(), in.signedInt());
    long inode = in.signed();
    String path = in.text();
    String codec = in.text();
    UnitSet lost = units(in);
    int furtherLosses = in.signedInt();
    RepairStatus status = RepairStatus.ofTag(in.text());
    String detectedBy = in.text();
    Instant since = in.instant();
    int attempts = in.signedInt();
    String reason = in.text();
    Instant wakeAt = in.optional(in::instant).orElse(since);
    long bytesRead = in.signed();
    DegradedStripe damage =
        new DegradedStripe(
            key,
            inode,
            path,
            codec,
            lost,
            furtherLosses,
            detectedBy,
            since,
            attempts,
            bytesRead,
            version == REPAIR_WITHOUT_RISK ? since : in.instant());
    return switch (status) {
      case WAITING -> new RepairState.Waiting(damage, reason);
      case RUNNING -> new RepairState.Running(damage, reason);
      case POSTPONED -> new RepairState.Postponed(damage, reason, wakeAt);
      case PARKED -> new RepairState.Parked(damage, reason);
      case UNRECOVERABLE -> new RepairState.Unrecoverable(damage, reason, wakeAt);
    };
  }

  private static byte[] writeOutcome(HistoryRecord outcome) {
    RecordWriter out = RecordWriter.ofVersion(OUTCOME_VERSION);
    return out.instant(outcome.at())
        .text(outcome.event())
        .optional(outcome.inode(), out::signed)
        .text(outcome.path())
        .signed(outcome.succeeded() ? 1 : 0)
        .text(outcome.by())
        .text(outcome.detail())
        .signed(outcome.bytesRead())
        .signed(outcome.bytesWritten())
        .text(outcome.cause().request())
        .text(outcome.cause().reason())
        .text(outcome.before())
        .text(outcome.after())
        .signed(outcome.epoch())
        .toBytes();
  }

  private static HistoryRecord readOutcome(byte[] bytes) {
    RecordReader in = new RecordReader(bytes);
    int version = in.octet();
    if (version != OUTCOME_WITHOUT_EPOCH) {
      RecordReader.requireVersion(OUTCOME_VERSION, version);
    }
    return new HistoryRecord(
        in.instant(),
        in.text(),
        in.optional(in::signed),
        in.text(),
        in.signed() == 1,
        in.text(),
        in.text(),
        in.signed(),
        in.signed(),
        new Cause(in.text(), in.text()),
        in.text(),
        in.text(),
        version == OUTCOME_WITHOUT_EPOCH ? 0 : in.signed());
  }

  private static byte[] writeTotal(Total total) {
    return RecordWriter.ofVersion(1)
        .text(total.state().tag())
        .text(total.reason().map(Reason::name).orElse(""))
        .signed(total.files())
        .signed(total.bytes())
        .signed(total.physicalBytes())
        .signed(total.parityBytes())
        .signed(total.replicasBefore())
        .toBytes();
  }

  private static Total readTotal(byte[] bytes) {
    RecordReader in = RecordReader.ofVersion(1, bytes);
    return new Total(
        FileState.ofTag(in.text()),
        reason(in.text()),
        in.signed(),
        in.signed(),
        in.signed(),
        in.signed(),
        in.signed());
  }

  private static byte[] writeScrub(ScrubRecord scrub) {
    RecordWriter out =
        RecordWriter.ofVersion(2)
            .signed(scrub.id())
            .signed(scrub.parityInode())
            .instant(scrub.since())
            .signed(scrub.bytes());
    for (ScrubDepth depth : List.of(ScrubDepth.PRESENCE, ScrubDepth.DEEP)) {
      ScrubRecord.Progress progress = scrub.at(depth);
      out.optional(progress.done(), out::instant)
          .optional(progress.began(), out::instant)
          .signed(progress.next());
      writeStripes(out, progress.gaps());
      writeStripes(out, progress.only());
      out.optional(progress.retryAt(), out::instant);
    }
    return out.toBytes();
  }

  private static void writeStripes(RecordWriter out, List<Integer> stripes) {
    out.signed(stripes.size());
    stripes.forEach(out::signed);
  }

  private static ScrubRecord readScrub(byte[] bytes) {
    RecordReader in = new RecordReader(bytes);
    int version = in.octet();
    if (version == 1) {
      return readScrub(in, Tables::progressOfVersion1);
    }
    RecordReader.requireVersion(2, version);
    return readScrub(in, Tables::progress);
  }

  private static ScrubRecord readScrub(
      RecordReader in, Function<RecordReader, ScrubRecord.Progress> progress) {
    return new ScrubRecord(
        in.signed(),
        in.signed(),
        in.instant(),
        in.signed(),
        progress.apply(in),
        progress.apply(in));
  }

  private static ScrubRecord.Progress progress(RecordReader in) {
    return new ScrubRecord.Progress(
        in.optional(in::instant),
        in.optional(in::instant),
        in.signedInt(),
        stripes(in),
        stripes(in),
        in.optional(in::instant));
  }

  /** It is not known which stripes had gaps, so a scrub that met some begins again. */
  private static ScrubRecord.Progress progressOfVersion1(RecordReader in) {
    Optional<Instant> done = in.optional(in::instant);
    Optional<Instant> began = in.optional(in::instant);
    int next = in.signedInt();
    boolean gaps = in.signed() == 1;
    Optional<Instant> retryAt = in.optional(in::instant);
    return gaps
        ? ScrubRecord.Progress.waiting(done, retryAt)
        : new ScrubRecord.Progress(done, began, next, List.of(), List.of(), retryAt);
  }

  private static List<Integer> stripes(RecordReader in) {
    int count = in.signedInt();
    List<Integer> stripes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      stripes.add(in.signedInt());
    }
    return stripes;
  }

  private static byte[] writeLooks(AccessSamples looks) {
    RecordWriter out = RecordWriter.ofVersion(1).signed(looks.samples().size());
    for (AccessSamples.Sample look : looks.samples()) {
      out.instant(look.at())
          .signed(Double.doubleToLongBits(look.rate().smoothedCount()))
          .instant(look.rate().at())
          .signed(look.rate().halfLife().toMillis());
    }
    return out.toBytes();
  }

  private static AccessSamples readLooks(byte[] bytes) {
    RecordReader in = RecordReader.ofVersion(1, bytes);
    List<AccessSamples.Sample> looks = new ArrayList<>();
    for (long left = in.signed(); left > 0; left--) {
      looks.add(
          new AccessSamples.Sample(
              in.instant(),
              new AccessRate(
                  Double.longBitsToDouble(in.signed()),
                  in.instant(),
                  Duration.ofMillis(in.signed()))));
    }
    return new AccessSamples(looks);
  }

  private static byte[] writeFaults(List<ReplicaFault> faults) {
    RecordWriter out = RecordWriter.ofVersion(1).signed(faults.size());
    for (ReplicaFault fault : faults) {
      out.signed(fault.unit())
          .signed(fault.block().id())
          .signed(fault.block().generationStamp())
          .signed(fault.block().length())
          .text(fault.node())
          .instant(fault.since())
          .text(fault.message());
    }
    return out.toBytes();
  }

  private static List<ReplicaFault> readFaults(byte[] bytes) {
    RecordReader in = RecordReader.ofVersion(1, bytes);
    List<ReplicaFault> faults = new ArrayList<>();
    for (long left = in.signed(); left > 0; left--) {
      faults.add(
          new ReplicaFault(
              in.signedInt(),
              new Block(in.signed(), in.signed(), in.signed()),
              in.text(),
              in.instant(),
              in.text()));
    }
    return List.copyOf(faults);
  }

  private static Set<Trait> traits(RecordReader in) {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    for (long left = in.signed(); left > 0; left--) {
      traits.add(Trait.valueOf(in.text()));
    }
    return traits;
  }

  private static UnitSet units(RecordReader in) {
    List<Integer> units = new ArrayList<>();
    for (long left = in.signed(); left > 0; left--) {
      units.add(in.signedInt());
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
