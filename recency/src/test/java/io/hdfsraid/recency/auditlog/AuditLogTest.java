// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hdfsraid.recency.SettableClock;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.InodeAccess;
import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.source.AccessBatch;
import io.hdfsraid.recency.source.AccessSink;
import io.hdfsraid.recency.source.MemoryTimestamps;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class AuditLogTest {
  private static final Instant START = Instant.parse("2026-11-22T00:00:00Z");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);

  @TempDir private Path folder;

  private final SettableClock clock = new SettableClock(START.plus(Duration.ofHours(1)));
  private final Index index = new Index();
  private final MemoryTimestamps notes = new MemoryTimestamps();
  private boolean nameNodeGone;
  private long atOnce = 1 << 30;
  private Path log;
  private AuditLog source;

  /** All that was ever written, in order. */
  private final List<Access> written = new ArrayList<>();

  private final ListAppender<ILoggingEvent> said = new ListAppender<>();

  @BeforeEach
  void listen() {
    said.start();
    logger().addAppender(said);
  }

  @AfterEach
  void restore() {
    logger().detachAppender(said);
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(DamagedLines.class);
  }

  private List<String> said() {
    return said.list.stream().map(event -> event.getKeyValuePairs().toString()).toList();
  }

  @BeforeEach
  void makeLog() {
    log = folder.resolve("hdfs-audit.log");
    restart();
  }

  private void restart() {
    source = source(IgnoredReaders.NONE, log.toString());
  }

  private AuditLog source(IgnoredReaders ignored, String... logs) {
    return new AuditLog(
        new AuditLogSettings(List.of(logs), ZoneOffset.UTC, ignored, Duration.ofDays(7), "/.raid"),
        index,
        notes,
        () -> {
          if (nameNodeGone) {
            throw new IOException("no NameNode");
          }
        },
        clock,
        atOnce);
  }

  private static final class Index implements AccessSink {
    final List<Access> accesses = new ArrayList<>();
    final List<InodeAccess> byInode = new ArrayList<>();
    Watermark watermark;
    boolean fails;
    Runnable whileTaken = () -> {};

    @Override
    public Optional<Watermark> watermark(String source) {
      return Optional.ofNullable(watermark);
    }

    @Override
    public long accessed(AccessBatch more, Watermark reached) throws IOException {
      if (fails) {
        throw new IOException("disk full");
      }
      accesses.addAll(more.byPath());
      byInode.addAll(more.byInode());
      watermark = reached;
      whileTaken.run();
      return more.byPath().stream().filter(access -> access.path().startsWith("/moved")).count();
    }
  }

  private static String line(Instant at, String path) {
    return line(at, path, "root (auth:SIMPLE)", "/10.0.0.1");
  }

  private static String line(Instant at, String path, String user, String client) {
    return "%s INFO FSNamesystem.audit: allowed=true\tugi=%s\tip=%s\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc"
        .formatted(TIME.format(at), user, client, path);
  }

  private static Access opened(String path, long at) {
    return new Access(path, at, "10.0.0.1");
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Lines that nobody has written before, a second apart. */
  private void write(Path file, int count) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      Instant at = START.plusSeconds(written.size());
      String path = "/f" + written.size();
      written.add(opened(path, at.toEpochMilli()));
      text.append(line(at, path)).append('\n');
    }
    append(file, text.toString());
  }

  private void follow() throws Exception {
    source.follow();
  }

  private void assertAllTaken() throws Exception {
    follow();
    assertThat(index.accesses).isEqualTo(written);
  }

  @Test
  void whatIsWrittenIsTakenInOnceAlsoByTheNextProcess() throws Exception {
    write(log, 10);
    assertAllTaken();
    assertAllTaken();
    write(log, 5);
    restart();
    assertAllTaken();
    assertThat(source.state().since()).contains(START);
    assertThat(source.state().newestEvent()).contains(Instant.ofEpochMilli(written.get(14).at()));
    assertThat(source.state().problem()).isEmpty();
  }

  @Test
  void aLineIsTakenInWhenItIsWhole() throws Exception {
    write(log, 1);
    String next = line(START.plusSeconds(1), "/half");
    append(log, next.substring(0, 60));
    follow();
    assertThat(index.accesses).hasSize(1);
    append(log, next.substring(60));
    follow();
    assertThat(index.accesses).as("its end may be missing").hasSize(1);
    append(log, "\r\n");
    follow();
    assertThat(index.accesses).extracting(Access::path).containsExactly("/f0", "/half");
    assertThat(source.state().counters()).containsEntry("lines.damaged", 0L);
  }

  /** What becomes of a log between two looks. */
  private void rotate(Random random) throws IOException {
    int newest = 0;
    while (Files.exists(folder.resolve("hdfs-audit.log." + (newest + 1)))
        || Files.exists(folder.resolve("hdfs-audit.log." + (newest + 1) + ".gz"))) {
      newest++;
    }
    for (int i = newest; i > 0; i--) {
      for (String end : List.of("", ".gz")) {
        Path old = folder.resolve("hdfs-audit.log." + i + end);
        if (Files.exists(old)) {
          Files.move(old, folder.resolve("hdfs-audit.log." + (i + 1) + end));
        }
      }
    }
    Path rotated = folder.resolve("hdfs-audit.log.1");
    switch (random.nextInt(3)) {
      case 0 -> Files.move(log, rotated);
      case 1 -> {
        Files.copy(log, rotated);
        Files.write(log, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
      }
      default -> {
        Files.copy(log, rotated, StandardCopyOption.COPY_ATTRIBUTES);
        Files.delete(log);
      }
    }
    if (random.nextInt(3) == 0) {
      pack(folder.resolve("hdfs-audit.log.1"));
    }
  }

  private static void pack(Path file) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(file + ".gz")))) {
      Files.copy(file, out);
    }
    Files.delete(file);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void howeverItIsRotatedNothingIsLostOrDoubled(long seed) throws Exception {
    Random random = new Random(seed);
    for (int step = 0; step < 200; step++) {
      switch (random.nextInt(8)) {
        case 0 -> {
          if (Files.exists(log) && Files.size(log) > 0) {
            rotate(random);
          }
        }
        case 1 -> restart();
        case 2 -> {
          index.fails = true;
          try {
            follow();
          } catch (IOException e) {
            assertThat(e).hasMessage("disk full");
          }
          index.fails = false;
        }
        case 3, 4 -> {
          follow();
          assertThat(index.accesses).as("seed %d, step %d", seed, step).isEqualTo(written);
        }
        default -> write(log, random.nextInt(20));
      }
    }
    assertAllTaken();
    assertThat(source.state().counters()).containsEntry("gaps", 0L);
    assertThat(notes.trackingStart("audit-log " + log)).contains(START);
  }

  @Test
  void aFileThatTookThePlaceOfAnotherIsLookedAtHoweverAlikeTheyAre() throws Exception {
    write(log, 10);
    follow();
    FileTime modified = Files.getLastModifiedTime(log);
    Files.move(log, folder.resolve("hdfs-audit.log.1"));
    for (int i = 0; i < 10; i++) {
      Instant at = START.plusSeconds(written.size());
      written.add(opened("/g" + i, at.toEpochMilli()));
      append(log, line(at, "/g" + i) + "\n");
    }
    Files.setLastModifiedTime(log, modified); // as of files within a tick of the clock

    assertAllTaken();
  }

  @Test
  void copiesBesideTheirOriginalAreReadOnce() throws Exception {
    write(log, 10);
    follow();
    Files.copy(log, folder.resolve("hdfs-audit.log.1"));
    assertAllTaken();
    write(log, 3);
    assertAllTaken();
  }

  @Test
  void aLogThatIsEmptiedAfterItsCopyWasMadeHasAGapForNobodyKnowsWhatCameBetween() throws Exception {
    write(log, 10);
    Files.copy(log, folder.resolve("hdfs-audit.log.1"));
    write(log, 3);
    assertAllTaken();
    Files.write(log, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
    write(log, 2);
    follow();
    assertThat(index.accesses).as("it may still be copied").hasSize(13);
    assertAllTaken();
    assertThat(source.state().counters()).containsEntry("gaps", 1L);
    assertThat(source.state().since()).contains(START.plusSeconds(13));
  }

  @Test
  void historyIsReadOnceBackToItsBound() throws Exception {
    write(folder.resolve("hdfs-audit.log.3"), 5);
    pack(folder.resolve("hdfs-audit.log.3"));
    written.clear();
    Files.setLastModifiedTime(
        folder.resolve("hdfs-audit.log.3.gz"),
        FileTime.from(clock.instant().minus(Duration.ofDays(8))));
    for (int i = 0; i < 5; i++) {
      written.add(opened("/old" + i, 0));
    }
    Path second = folder.resolve("hdfs-audit.log.2026-11-21");
    write(second, 5);
    pack(second);
    write(folder.resolve("hdfs-audit.log.1"), 5);
    write(log, 5);
    for (Path recent : List.of(log, folder.resolve("hdfs-audit.log.1"), Path.of(second + ".gz"))) {
      Files.setLastModifiedTime(recent, FileTime.from(clock.instant()));
    }
    follow();
    assertThat(index.accesses).isEqualTo(written.subList(5, 20));
    assertThat(source.state().since()).contains(START.plusSeconds(5));
  }

  @Test
  void aLongHistoryIsReadInPartsAndSaysHowMuchIsLeft() throws Exception {
    atOnce = 1;
    restart();
    Random random = new Random(6);
    for (String end : List.of(".3", ".2", ".1", "")) {
      Path file = Path.of(log + end);
      while (!Files.exists(file) || Files.size(file) < 5 << 20) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
          Instant at = START.plusSeconds(written.size());
          String path = "/f" + written.size() + "/" + random.nextLong();
          written.add(opened(path, at.toEpochMilli()));
          text.append(line(at, path)).append('\n');
        }
        append(file, text.toString());
      }
      if (end.equals(".3") || end.equals(".1")) {
        pack(file);
      }
    }
    clock.pass(Duration.between(clock.instant(), START.plusSeconds(written.size())));
    long before = Long.MAX_VALUE;
    int calls = 0;
    int taken;
    do {
      taken = index.accesses.size();
      follow();
      assertThat(index.accesses.size() - taken).as("in one call").isLessThan(15_000);
      long behind = source.state().counters().get("bytes.behind");
      assertThat(behind).isLessThanOrEqualTo(before);
      if (calls == 3) {
        assertThat(behind).isPositive();
        assertThat(source.state().problem())
            .hasValueSatisfying(text -> assertThat(text).contains(behind + " bytes of it"));
        assertThat(source.state().lag()).isPositive();
      }
      before = behind;
      calls++;
      clock.pass(Duration.ofSeconds(1));
      if (calls == 8) {
        restart();
      }
    } while (index.accesses.size() > taken);
    assertThat(calls).isGreaterThan(15);
    assertThat(index.accesses).isEqualTo(written);
    assertThat(before).isZero();
    assertThat(source.state().problem()).isEmpty();
    assertThat(source.state().lag()).isZero();
  }

  @Test
  void whileALogIsBeingReadItIsStillToBeRead() throws Exception {
    atOnce = 1;
    restart();
    List<Optional<String>> problems = new ArrayList<>();
    write(log, 50_000);
    clock.pass(Duration.ofDays(2));
    follow();
    assertThat(source.state().problem()).isPresent();

    index.whileTaken = () -> problems.add(source.state().problem());
    follow();

    assertThat(problems)
        .isNotEmpty()
        .allSatisfy(
            problem ->
                assertThat(problem)
                    .hasValueSatisfying(text -> assertThat(text).contains("still to be read")));
  }

  @Test
  void readsOfWhatIsNotThereAnyMoreAreCounted() throws Exception {
    append(log, line(START, "/moved/1") + "\n" + line(START, "/moved/2") + "\n");
    write(log, 1);
    follow();
    assertThat(source.state().counters())
        .containsEntry("accesses", 3L)
        .containsEntry("accesses.unknown", 2L);
  }

  @Test
  void aFileThatIsGoneBeforeItWasReadToItsEndIsAGap() throws Exception {
    write(log, 10);
    follow();
    assertThat(source.state().since()).contains(START);
    Files.delete(log);
    written.clear();
    for (int i = 0; i < 100; i++) {
      written.add(opened("/lost", 0));
    }
    write(log, 10);
    follow();
    assertThat(index.accesses).as("perhaps it is being renamed").hasSize(10);
    follow();
    assertThat(index.accesses).hasSize(20);
    assertThat(source.state().counters()).containsEntry("gaps", 1L);
    assertThat(source.state().since()).contains(START.plusSeconds(100));
  }

  @Test
  void aLogThatIsNotThereIsAProblemUntilItComes() throws Exception {
    follow();
    assertThat(source.state().problem()).contains(log + " is not there");
    assertThat(source.state().since()).isEmpty();
    write(log, 1);
    assertAllTaken();
    assertThat(source.state().problem()).isEmpty();
    Path elsewhere = folder.resolve("none/hdfs-audit.log");
    source = source(IgnoredReaders.NONE, log.toString(), elsewhere.toString());
    write(log, 1);
    assertAllTaken();
    assertThat(source.state().problem()).contains(elsewhere + " is not there");
  }

  private void followFor(Duration time) throws Exception {
    for (long minutes = time.toMinutes(); minutes > 0; minutes--) {
      follow();
      clock.pass(Duration.ofMinutes(1));
    }
    follow();
  }

  @Test
  void aLogInWhichWhatWeReadOurselvesDoesNotComeIsSilentWhateverElseItTells() throws Exception {
    write(log, 1);
    followFor(Duration.ofMinutes(30));
    assertThat(source.state().problem()).isEmpty();
    write(log, 1);
    followFor(Duration.ofMinutes(1));
    assertThat(source.state().problem())
        .hasValueSatisfying(text -> assertThat(text).contains("no log reports it"));
    append(log, line(clock.instant(), "/.raid/owner") + "\n");
    follow();
    assertThat(source.state().problem()).isEmpty();
    nameNodeGone = true;
    followFor(Duration.ofHours(2));
    assertThat(source.state().problem()).as("nothing was read, so nothing is told").isEmpty();
    nameNodeGone = false;
    followFor(Duration.ofMinutes(20));
    assertThat(source.state().problem()).isEmpty();
    append(log, line(clock.instant().minus(Duration.ofHours(1)), "/.raid/owner") + "\n");
    followFor(Duration.ofMinutes(20));
    assertThat(source.state().problem()).as("a line from before").isPresent();
  }

  @Test
  void whatWeReadOurselvesIsHeardThoughReadsOfOurUserAreIgnored() throws Exception {
    source = source(new IgnoredReaders(List.of("root"), List.of()), log.toString());
    for (int i = 0; i < 10; i++) {
      append(log, line(clock.instant(), "/.raid/owner") + "\n");
      followFor(Duration.ofMinutes(10));
    }
    assertThat(source.state().problem()).isEmpty();
    assertThat(source.state().counters()).containsEntry("accesses.own", 10L);
  }

  @Test
  void aLogThatWasFollowedAndIsNotFoundAnyMoreIsAProblem() throws Exception {
    Path first = Files.createDirectories(folder.resolve("nn1")).resolve("hdfs-audit.log");
    Path second = Files.createDirectories(folder.resolve("nn2")).resolve("hdfs-audit.log");
    source = source(IgnoredReaders.NONE, folder.resolve("nn*/hdfs-audit.log*").toString());
    write(first, 2);
    write(second, 2);
    follow();
    Files.move(second.getParent(), folder.resolve("elsewhere"));
    follow();
    assertThat(source.state().problem()).as("perhaps it is being renamed").isEmpty();
    follow();
    assertThat(source.state().problem())
        .contains(second + " was followed and is not found any more");
    Files.move(folder.resolve("elsewhere"), second.getParent());
    Files.move(first, first.resolveSibling("hdfs-audit.log.1"));
    assertAllTaken();
    write(first, 1);
    follow();
    follow();
    assertThat(source.state().problem()).as("each is there again, or has another name").isEmpty();
    Files.move(second.getParent(), folder.resolve("elsewhere"));
    source = source(IgnoredReaders.NONE, first.toString());
    follow();
    follow();
    assertThat(source.state().problem()).as("of a log that is not meant any more").isEmpty();
  }

  @Test
  void logsOfSeveralNameNodesAreFollowedBesideEachOther() throws Exception {
    Path first = Files.createDirectories(folder.resolve("nn1")).resolve("hdfs-audit.log");
    Path second = Files.createDirectories(folder.resolve("nn2")).resolve("hdfs-audit.log");
    source = source(IgnoredReaders.NONE, folder.resolve("nn*/hdfs-audit.log*").toString());
    write(first, 3);
    write(second, 2);
    follow();
    Files.move(second, second.resolveSibling("hdfs-audit.log.1"));
    write(second, 2);
    write(first, 2);
    source = source(IgnoredReaders.NONE, folder.resolve("nn*/hdfs-audit.log*").toString());
    follow();
    assertThat(index.accesses).hasSize(9).containsExactlyInAnyOrderElementsOf(written);
    assertThat(source.state().since()).as("of the younger").contains(START.plusSeconds(3));
  }

  @Test
  void howFarOneLogIsKnownSaysNothingOfAnother() throws Exception {
    Path first = Files.createDirectories(folder.resolve("nn1")).resolve("hdfs-audit.log");
    Path second = Files.createDirectories(folder.resolve("nn2")).resolve("hdfs-audit.log");
    atOnce = 1;
    source = source(IgnoredReaders.NONE, folder.resolve("nn*/hdfs-audit.log*").toString());
    append(first, line(clock.instant(), "/a") + "\n");
    append(second, line(START, "/b") + "\n");
    follow();
    append(second, ("x".repeat(100_000) + "\n").repeat(30)); // no line of an audit log
    append(first, line(clock.instant(), "/c") + "\n");

    follow();

    assertThat(source.state().problem())
        .hasValueSatisfying(
            problem -> assertThat(problem).contains(second + " was taken in up to " + START));
  }

  @Test
  void whoReadsEverythingAnywayDoesNotCount() throws Exception {
    IgnoredReaders ignored =
        new IgnoredReaders(List.of("raid", "backup*", "scan/h1@EXAMPLE"), List.of("10.9.*"));
    source = source(ignored, log.toString());
    String other = "/10.0.0.1";
    append(
        log,
        String.join(
                "\n",
                line(START, "/a", "raid (auth:SIMPLE)", other),
                line(START, "/b", "raid/nn1@EXAMPLE (auth:KERBEROS)", other),
                line(START, "/c", "backup7 (auth:TOKEN)", other),
                line(START, "/d", "scan/h1@EXAMPLE (auth:KERBEROS)", other),
                line(START, "/e", "ann", "/10.9.7.7"),
                line(START, "/f", "ann", "host/10.9.7.7"),
                line(START, "/1", "raider (auth:SIMPLE)", other),
                line(START, "/2", "scan/h2@EXAMPLE (auth:KERBEROS)", other),
                line(START, "/3", "ann (auth:PROXY) via raid (auth:SIMPLE)", other),
                line(START, "/4", "ann", "/10.99.7.7"))
            + "\n");
    follow();
    assertThat(index.accesses).extracting(Access::path).containsExactly("/1", "/2", "/3", "/4");
    assertThat(source.state().counters()).containsEntry("accesses.ignored", 6L);
  }

  @Test
  void reservedPathsAreWhatTheyStandFor() throws Exception {
    append(
        log,
        String.join(
                "\n",
                line(START, "/.reserved/.inodes/16394"),
                line(START, "/.reserved/.inodes/16394/f"),
                line(START, "/.reserved/raw/x/y"),
                line(START, "/s/.snapshot/two/f"),
                line(START, "/.raid/parity/7"),
                line(START, "/.raided"))
            + "\n");
    follow();
    assertThat(index.byInode)
        .containsExactly(new InodeAccess(16394, START.toEpochMilli(), "10.0.0.1"));
    assertThat(index.accesses).extracting(Access::path).containsExactly("/x/y", "/.raided");
    assertThat(source.state().counters())
        .containsEntry("accesses.snapshots", 1L)
        .containsEntry("accesses.own", 1L)
        .containsEntry("accesses.unresolved", 1L)
        .containsEntry("accesses", 3L);
  }

  @Test
  void damageIsCountedAndNamedByFileAndOffset() throws Exception {
    write(log, 1);
    long offset = Files.size(log);
    append(log, "\0\0\0garbage\n");
    write(log, 1);
    assertAllTaken();
    assertThat(source.state().counters()).containsEntry("lines.damaged", 1L);
    assertThat(said())
        .singleElement()
        .asString()
        .contains("file=\"" + log, "offset=\"" + offset, LineProblem.TIME.toString());
    assertThat(source.state().problem()).as("one bad line is none").isEmpty();
  }

  @Test
  void aLineWithoutEndIsSkippedWhenItsEndComes() throws Exception {
    write(log, 1);
    append(log, "x".repeat(5 << 20));
    follow();
    append(log, line(START, "/not-a-line-of-its-own") + "\n");
    write(log, 1);
    assertAllTaken();
    assertThat(said()).singleElement().asString().contains(LineProblem.LENGTH.toString());
  }

  @Test
  void aLineOfATimeToComeIsDamageButNoReadIsLostAndNoFileIsHotForEver() throws Exception {
    write(log, 1);
    append(log, line(START.plus(Duration.ofDays(3650)), "/read") + "\n");
    follow();
    assertThat(index.accesses).hasSize(2);
    assertThat(Instant.ofEpochMilli(index.accesses.get(1).at()))
        .isBefore(clock.instant().plus(Duration.ofHours(1)));
    assertThat(source.state().newestEvent()).contains(Instant.ofEpochMilli(written.get(0).at()));
    assertThat(source.state().counters()).containsEntry("lines.damaged", 1L);
    assertThat(source.state().problem()).isEmpty();
    for (int i = 0; i < 100; i++) {
      append(log, line(clock.instant().plus(Duration.ofMinutes(10)), "/read") + "\n");
    }
    follow();
    assertThat(source.state().problem())
        .hasValueSatisfying(text -> assertThat(text).contains("recency.auditLogTimeZone"));
    clock.pass(Duration.ofMinutes(10));
    write(log, 1);
    follow();
    assertThat(source.state().problem()).as("as long as it does so").isEmpty();
  }

  @Test
  void anotherLayoutIsAProblemThatSaysSo() throws Exception {
    for (int i = 0; i < 200; i++) {
      append(log, "{\"allowed\":true,\"cmd\":\"open\"}\n");
    }
    follow();
    assertThat(source.state().problem())
        .hasValueSatisfying(text -> assertThat(text).contains("is JSON").contains(log.toString()));
    assertThat(index.accesses).isEmpty();
  }

  @Test
  void ofBytesByChanceNothingButWholeLinesIsTakenIn() throws Exception {
    Random random = new Random(6);
    for (int i = 0; i < 300; i++) {
      byte[] noise = new byte[random.nextInt(3000)];
      random.nextBytes(noise);
      Files.write(log, noise, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      append(log, "\n");
      write(log, random.nextInt(3));
      if (random.nextInt(5) == 0) {
        follow();
      }
    }
    assertAllTaken();
    assertThat(source.state().counters().get("lines.damaged")).isGreaterThan(300);
  }

  @Test
  void aPackedFileThatIsCutShortIsAGapAndNoCrash() throws Exception {
    Random random = new Random(6);
    for (int i = 0; i < 2000; i++) {
      append(log, line(START.plusMillis(i), "/g" + random.nextLong()) + "\n");
    }
    pack(log);
    Path packed = Path.of(log + ".gz");
    byte[] bytes = Files.readAllBytes(packed);
    Files.write(folder.resolve("hdfs-audit.log.1.gz"), Arrays.copyOf(bytes, bytes.length / 2));
    Files.delete(packed);
    for (int i = 0; i < 100; i++) {
      written.add(opened("/before", 0));
    }
    write(log, 3);
    follow();
    assertThat(index.accesses).extracting(Access::path).endsWith("/f100", "/f101", "/f102");
    assertThat(source.state().counters()).containsEntry("gaps", 1L);
    assertThat(source.state().since()).contains(START.plusSeconds(100));
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    write(log, 1);
    Thread.currentThread().interrupt();
    assertThatThrownBy(this::follow).isInstanceOf(InterruptedException.class);
  }
}
