// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.recency.RecencyOptions.Mode;
import io.hdfsraid.recency.auditlog.AuditLogSettings;
import io.hdfsraid.recency.auditlog.IgnoredReaders;
import io.hdfsraid.recency.editlog.EditBatch;
import io.hdfsraid.recency.editlog.EditLog;
import io.hdfsraid.recency.editlog.MissedEditsException;
import io.hdfsraid.recency.index.IndexedFile;
import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.listing.DirectoryListing;
import io.hdfsraid.recency.listing.FileLookup;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.source.AccessTimeSetting;
import io.hdfsraid.recency.source.MemoryTimestamps;
import io.hdfsraid.recency.source.ProbeRead;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecencyTest {
  private static final Instant BEGIN = Instant.parse("2026-11-22T00:00:00Z");
  private static final Instant LONG_AGO = BEGIN.minus(Duration.ofDays(400));
  private static final long PARITY = 77;

  @TempDir private Path folder;

  private final SettableClock clock = new SettableClock(BEGIN);
  private final ScriptedHdfs hdfs = new ScriptedHdfs();
  private final MemoryTimestamps notes = new MemoryTimestamps();
  private NamespaceIndex index;

  @BeforeEach
  void open() {
    index = NamespaceIndex.open(folder.resolve("index"), clock);
    hdfs.put("/a", 1);
    hdfs.imageAt = 10;
  }

  @AfterEach
  void close() {
    index.close();
  }

  private Recency recency(Mode mode, Optional<AuditLogSettings> auditLogs) {
    return new Recency(
        index,
        notes,
        reads -> {},
        hdfs,
        new RecencyOptions(
            mode,
            Duration.ofDays(7),
            folder.resolve("images"),
            Optional.of(LONG_AGO),
            auditLogs,
            "/.raid"),
        clock);
  }

  private Recency recency() {
    return recency(Mode.IMAGE, Optional.empty());
  }

  private Recency filled() throws IOException {
    Recency recency = recency();
    recency.refresh();
    assertThat(recency.tracking().since()).hasValue(LONG_AGO);
    return recency;
  }

  private List<String> paths() {
    List<String> paths = new ArrayList<>();
    index.forEach(
        file -> {
          paths.add(file.path());
          return true;
        });
    return paths;
  }

  private IndexedFile indexed(String path) {
    return index.at(path).orElseThrow();
  }

  private void pass(Recency recency, Duration time) throws Exception {
    clock.pass(time); // of which the clock of this machine knows nothing, so that is not watched
    recency.follow();
  }

  @Test
  void accessTimesAreInDoubtOnceTheEditLogHasNotBeenReadForAWhile() throws Exception {
    Recency recency = filled();
    hdfs.failure = new IOException("refused");

    pass(recency, Duration.ofMinutes(29));
    assertThat(recency.tracking().since()).isPresent();

    pass(recency, Duration.ofMinutes(2));
    assertThat(recency.tracking().since()).isEmpty();
    assertThat(recency.tracking().toString()).contains("since 2026-11-22T00:00:00Z is not known");

    hdfs.failure = null;
    pass(recency, Duration.ofMinutes(2));
    assertThat(recency.tracking().since()).hasValue(LONG_AGO);
  }

  @Test
  void readingAnImageEndsWhenItIsInterrupted() throws Exception {
    for (int i = 0; i < 100_001; i++) {
      hdfs.put("/" + i, 100_000 + i);
    }
    Recency recency = recency();
    Thread.currentThread().interrupt();
    assertThatThrownBy(recency::refresh).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(index.transaction()).isEmpty();

    recency.refresh();
    assertThat(index.at("/100000")).isPresent();
  }

  @Test
  void accessTimesAreInDoubtOnceTheNamespaceHasNotBeenListedForDays() throws Exception {
    Recency recency = recency(Mode.LISTING, Optional.empty());
    assertThat(recency.tracking().since()).isEmpty();
    recency.refresh();
    pass(recency, Duration.ofHours(47));
    assertThat(recency.tracking().since()).hasValue(LONG_AGO);

    pass(recency, Duration.ofHours(2));
    assertThat(recency.tracking().since()).isEmpty();
  }

  @Test
  void nothingIsColdBeforeTheEditsAfterAnImageAreTakenIn() throws Exception {
    hdfs.failure = new IOException("refused");
    Recency recency = recency();
    recency.refresh();

    assertThat(paths()).containsExactly("/a");
    assertThat(recency.isCurrent()).isFalse();
    assertThat(recency.tracking().since()).isEmpty();

    hdfs.failure = null;
    pass(recency, Duration.ofMinutes(2));
    assertThat(recency.isCurrent()).isTrue();
    assertThat(recency.tracking().since()).hasValue(LONG_AGO);
  }

  @Test
  void aDaemonThatStartsAgainKnowsWhatHappenedMeanwhileBeforeAnythingIsCold() throws Exception {
    filled();
    hdfs.write(new NamespaceEvent.TimesSet("/a", -1, BEGIN.toEpochMilli()));

    Recency again = recency();
    again.watch();
    assertThat(again.tracking().since()).isEmpty();

    assertThat(again.prepare()).isTrue();
    assertThat(again.tracking().since()).isPresent();
    assertThat(indexed("/a").lastUsed()).isEqualTo(BEGIN);
  }

  @Test
  void aGapThatTheLatestImageDoesNotCloseIsClosedByALaterOne() throws Exception {
    Recency recency = filled();
    hdfs.write(new NamespaceEvent.Deleted("/b", 1));
    hdfs.removedUpTo = 12;
    hdfs.newest = 20;

    pass(recency, Duration.ofMinutes(1));
    pass(recency, Duration.ofMinutes(1)); // asks
    pass(recency, Duration.ofHours(1)); // the image is the same
    assertThat(problems(recency)).anyMatch(text -> text.contains("saveNamespace"));
    int read = hdfs.imagesRead;

    hdfs.imageAt = 20;
    hdfs.put("/late", 5);
    pass(recency, Duration.ofMinutes(1));
    assertThat(hdfs.imagesRead).as("images are not read again and again").isEqualTo(read);

    pass(recency, Duration.ofMinutes(5));
    assertThat(paths()).contains("/late");
    assertThat(recency.isCurrent()).isTrue();
    assertThat(problems(recency)).isEmpty();
  }

  private static List<String> problems(Recency recency) {
    return recency.sources().stream().flatMap(state -> state.problem().stream()).toList();
  }

  /** The NameNode is set back and writes more than was undone; then another process follows. */
  private Recency setBack() throws Exception {
    Recency before = filled();
    hdfs.create("/lost", 5);
    pass(before, Duration.ofMinutes(1));
    assertThat(paths()).containsExactlyInAnyOrder("/a", "/lost");
    hdfs.events.clear();
    hdfs.listed.remove("/lost");
    hdfs.newest = 8;
    hdfs.imageAt = 8;
    for (int i = 0; i < 6; i++) {
      hdfs.create("/new" + i, 20 + i);
    }
    clock.pass(Duration.ofMinutes(1));
    Recency recency = recency();
    recency.wasSetBack("The namespace was set back");
    assertThat(recency.isCurrent()).isFalse();
    return recency;
  }

  private void assertReadAnew(Recency recency) {
    assertThat(paths()).contains("/a", "/new0", "/new5").doesNotContain("/lost");
    assertThat(hdfs.origins).containsExactly(ImageOrigin.ANY, ImageOrigin.ACTIVE);
    assertThat(recency.isCurrent()).isTrue();
    assertThat(problems(recency)).isEmpty();
  }

  @Test
  void aNamespaceThatWasSetBackIsReadAnewAlsoIfMoreWasWrittenSince() throws Exception {
    Recency recency = setBack();
    clock.pass(Duration.ofSeconds(5));
    recency.refresh();
    assertReadAnew(recency);
    pass(recency, Duration.ofHours(2));
    assertThat(hdfs.imagesRead).as("once").isEqualTo(2);
  }

  @Test
  void aNamespaceThatWasSetBackIsListedIfThereIsNoImage() throws Exception {
    Recency recency = setBack();
    hdfs.imageFailure = new IOException("the active NameNode sends none");
    recency.refresh();
    assertThat(paths()).contains("/a", "/new0", "/new5").doesNotContain("/lost");
    assertThat(recency.isCurrent()).isTrue();
  }

  @Test
  void thatTheNamespaceWasSetBackOutlivesARestart() throws Exception {
    Recency unused = setBack();
    Recency again = recency();
    again.watch();
    assertThat(again.isCurrent()).isFalse();
    pass(again, Duration.ofSeconds(5));
    assertReadAnew(again);
    pass(recency(), Duration.ofHours(2));
    assertThat(hdfs.imagesRead).as("once").isEqualTo(2);
  }

  @Test
  void anImageThatCannotBeReadAgainIsShownAndTheEditsAreFollowedAllTheSame() throws Exception {
    Recency recency = filled();
    hdfs.imageFailure = new IOException("no space left");
    clock.pass(Duration.ofDays(8));
    hdfs.write(new NamespaceEvent.TimesSet("/a", -1, clock.millis()));

    recency.refresh();

    assertThat(indexed("/a").lastUsed()).isEqualTo(clock.instant());
    assertThat(problems(recency)).anyMatch(text -> text.contains("no space left"));
    assertThat(recency.tracking().since()).isPresent();
    int tried = hdfs.imagesRead;
    pass(recency, Duration.ofMinutes(10));
    pass(recency, Duration.ofMinutes(10));
    assertThat(hdfs.imagesRead).as("nothing is missing until the next scan").isEqualTo(tried);
  }

  @Test
  void withoutAnImageTheNamespaceIsListedUntilThereIsOne() throws Exception {
    hdfs.imageFailure = new IOException("not the superuser");
    Recency recency = recency();
    recency.refresh();
    assertThat(paths()).containsExactly("/a");
    assertThat(index.transaction()).isEmpty();
    assertThat(recency.tracking().since()).isPresent();
    assertThat(problems(recency)).anyMatch(text -> text.contains("not the superuser"));

    hdfs.imageFailure = null;
    hdfs.put("/b", 2);
    int tried = hdfs.imagesRead;
    recency.refresh();
    assertThat(hdfs.imagesRead).as("not with each scan").isEqualTo(tried);
    assertThat(paths()).containsExactlyInAnyOrder("/a", "/b");

    clock.pass(Duration.ofMinutes(6));
    recency.refresh();
    assertThat(paths()).containsExactlyInAnyOrder("/a", "/b");
    assertThat(index.transaction()).hasValue(10);
    assertThat(problems(recency)).isEmpty();
  }

  @Test
  void editsThatWereTakenInBeforeAListingAreNotTakenInAgainAfterIt() throws Exception {
    filled();
    hdfs.write(new NamespaceEvent.Deleted("/a", 1));

    recency(Mode.LISTING, Optional.empty()).refresh();

    assertThat(index.transaction()).isEmpty();
    hdfs.imageAt = 11;
    recency().refresh();
    assertThat(paths()).containsExactly("/a");
  }

  @Test
  void newFilesGetTheirNumbersOnlyFromAnHdfsThatIsNotAhead() throws Exception {
    Recency recency = filled();
    hdfs.create("/new/dir/file", 5);
    recency.follow();
    assertThat(indexed("/new/dir/file").provisional()).isTrue();

    hdfs.failure = new IOException("refused");
    recency.list(List.of("/new/dir"));
    assertThat(indexed("/new/dir/file").provisional()).isTrue();

    hdfs.failure = null;
    clock.pass(Duration.ofMinutes(2));
    recency.list(List.of("/new/dir"));
    assertThat(indexed("/new/dir/file").provisional()).isFalse();
    assertThat(indexed("/new/dir/file").inode()).isEqualTo(5);
  }

  @Test
  void newFilesThatSomebodyAsksForGetTheirNumbersWithTheNextEdits() throws Exception {
    Recency recency = filled();
    hdfs.create("/new/dir/file", 5);
    recency.listSoon("/new/dir");
    hdfs.failure = new IOException("refused");
    recency.follow();
    assertThat(index.at("/new/dir/file")).as("HDFS may be ahead").isEmpty();

    hdfs.failure = null;
    pass(recency, Duration.ofMinutes(2));
    assertThat(indexed("/new/dir/file").inode()).isEqualTo(5);
  }

  @Test
  void nobodyIsAskedForNewFilesAgainAndAgain() throws Exception {
    Recency recency = filled();
    hdfs.listingsAsked = 0;
    hdfs.create("/new/dir/file", 5);
    hdfs.listingFailure = new IOException("a directory became a file");
    recency.follow();
    assertThat(hdfs.listingsAsked).as("unless somebody wants it").isZero();

    recency.listSoon("/new/dir");
    recency.follow();
    recency.follow();
    assertThat(hdfs.listingsAsked).isEqualTo(1);
    assertThat(indexed("/new/dir/file").provisional()).isTrue();

    hdfs.listingFailure = null;
    recency.refresh();
    assertThat(indexed("/new/dir/file").inode()).isEqualTo(5);
  }

  @Test
  void parityIsNoFileOfTheIndex() throws Exception {
    hdfs.put("/.raid-file", PARITY);
    filled();
    assertThat(paths()).containsExactly("/a");
  }

  @Test
  void anAuditLogIsReadOnceItsFilesAreKnown() throws Exception {
    Path log = folder.resolve("hdfs-audit.log");
    Files.writeString(
        log,
        "2026-11-20 10:00:00,000 INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:SIMPLE)"
            + "\tip=/10.0.0.1\tcmd=open\tsrc=/a\tdst=null\tperm=null\tproto=rpc\n");
    Recency recency =
        recency(
            Mode.LISTING,
            Optional.of(
                new AuditLogSettings(
                    List.of(log.toString()),
                    ZoneOffset.UTC,
                    IgnoredReaders.NONE,
                    Duration.ofDays(30),
                    "/.raid")));
    recency.follow();
    recency.refresh();

    recency.follow();
    recency.follow();

    assertThat(indexed("/a").lastUsed()).isEqualTo(Instant.parse("2026-11-20T10:00:00Z"));
  }

  private Path log() {
    return folder.resolve("hdfs-audit.log");
  }

  /** Its edit log is followed, and an audit log. */
  private Recency told() throws IOException {
    Files.createFile(log());
    return tailing();
  }

  private Recency tailing() {
    return recency(
        Mode.IMAGE,
        Optional.of(
            new AuditLogSettings(
                List.of(log().toString()),
                ZoneOffset.UTC,
                IgnoredReaders.NONE,
                Duration.ofDays(30),
                "/.raid")));
  }

  private void audited(Instant at, String path) throws IOException {
    Files.writeString(
        log(),
        "%s INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:SIMPLE)\tip=/10.0.0.1\tcmd=open\tsrc=%s\tdst=null\tperm=null\tproto=rpc\n"
            .formatted(
                DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS")
                    .withZone(ZoneOffset.UTC)
                    .format(at),
                path),
        StandardOpenOption.APPEND);
  }

  @Test
  void anAuditLogWaitsWhileTheEditLogCannotBeReadForItTellsOfPathsThatNobodyKnows()
      throws Exception {
    Recency recency = told();
    recency.refresh();
    audited(BEGIN, "/a");
    recency.follow();
    assertThat(indexed("/a").lastUsed()).isEqualTo(BEGIN);

    hdfs.failure = new IOException("refused");
    hdfs.write(new NamespaceEvent.Renamed("/a", "/b", 1));
    Instant later = BEGIN.plus(Duration.ofMinutes(10));
    audited(later, "/b");
    pass(recency, Duration.ofMinutes(10));
    assertThat(recency.tracking().since()).as("for a while").isPresent();
    pass(recency, Duration.ofMinutes(20));
    assertThat(recency.tracking().since()).as("an audit log alone is not enough").isEmpty();

    hdfs.failure = null;
    pass(recency, Duration.ofMinutes(2));
    assertThat(indexed("/b").lastUsed()).isEqualTo(later);
    assertThat(recency.tracking().since()).isPresent();
  }

  @Test
  void nothingIsColdWhileEditsAreMissing() throws Exception {
    Recency recency = filled();
    hdfs.write(new NamespaceEvent.TimesSet("/a", -1, BEGIN.toEpochMilli()));
    hdfs.removedUpTo = 12;
    hdfs.newest = 20;

    pass(recency, Duration.ofSeconds(5));

    assertThat(recency.isCurrent()).isFalse();
    assertThat(recency.tracking().since()).isEmpty();
  }

  @Test
  void nothingIsColdBetweenAnOlderImageAndTheEditsAfterIt() throws Exception {
    Recency recency = filled();
    hdfs.write(new NamespaceEvent.TimesSet("/a", -1, BEGIN.toEpochMilli()));
    recency.follow();
    assertThat(recency.isCurrent()).isTrue();

    clock.pass(Duration.ofDays(8));
    hdfs.whileImageIsRead = () -> hdfs.failure = new IOException("refused");
    recency.refresh();

    assertThat(index.transaction()).as("that of the image").hasValue(10);
    assertThat(recency.isCurrent()).isFalse();
    assertThat(recency.tracking().since()).isEmpty();
  }

  @Test
  void anImageThatEndsBeforeAGapDoesNotCloseIt() throws Exception {
    Recency recency = filled();
    hdfs.write(new NamespaceEvent.Deleted("/b", 1));
    recency.follow();
    hdfs.removedUpTo = 14;
    hdfs.newest = 20;

    pass(recency, Duration.ofMinutes(1)); // finds the gap
    pass(recency, Duration.ofHours(1)); // the image is of a standby that is behind

    assertThat(hdfs.imagesRead).isEqualTo(2);
    assertThat(index.transaction()).hasValue(11);
    assertThat(problems(recency)).anyMatch(text -> text.contains("the index knows all up to 11"));
  }

  @Test
  void whatANameNodeHasWrittenAndDoesNotTellYetIsMissing() throws Exception {
    Recency recency = filled();
    hdfs.newest = 15; // its edit log is being closed, say
    hdfs.hidden = 5;
    pass(recency, Duration.ofMinutes(31));
    assertThat(recency.isCurrent()).isFalse();
  }

  @Test
  void aNameNodeThatHasAlwaysWrittenMoreIsKeptUpWith() throws Exception {
    Recency recency = filled();
    hdfs.busy = true;
    hdfs.write(new NamespaceEvent.TimesSet("/a", -1, 1));
    pass(recency, Duration.ofMinutes(31));
    assertThat(recency.isCurrent()).isTrue();
    assertThat(recency.prepare()).isTrue();
    assertThat(recency.tracking().since()).isPresent();
  }

  @Test
  void whileAnAuditLogCannotBeReadRecordedAccessesCount() throws Exception {
    Recency recency = told();
    recency.refresh();
    audited(BEGIN, "/a");
    recency.follow();
    Files.delete(log());
    pass(recency, Duration.ofHours(1)); // it may be renamed just now
    pass(recency, Duration.ofHours(1));
    assertThat(problems(recency)).anyMatch(text -> text.contains("hdfs-audit.log"));

    hdfs.write(new NamespaceEvent.TimesSet("/a", -1, clock.millis()));
    pass(recency, Duration.ofHours(2));
    hdfs.write(new NamespaceEvent.TimesSet("/a", -1, clock.millis()));
    recency.follow();

    assertThat(indexed("/a").accesses().counted()).isCloseTo(3, offset(0.1));
  }

  @Test
  void accessTimesOfAGapThatARestartFindsInAnAuditLogComeBackWithAnImage() throws Exception {
    Recency recency = told();
    recency.refresh();
    audited(BEGIN, "/a");
    recency.follow();
    audited(BEGIN.plusSeconds(1), "/a");
    pass(recency, Duration.ofMinutes(1));
    assertThat(recency.isEvidence(BEGIN)).isFalse();
    int images = hdfs.imagesRead;

    Files.delete(log());
    Files.createFile(log());
    audited(BEGIN.plus(Duration.ofHours(1)), "/a"); // the lines before it are lost
    Recency restarted = tailing();
    pass(restarted, Duration.ofHours(1)); // the file may have been renamed just now
    pass(restarted, Duration.ofMinutes(1));
    pass(restarted, Duration.ofMinutes(1));

    assertThat(restarted.isEvidence(BEGIN)).isTrue();
    assertThat(hdfs.imagesRead).isGreaterThan(images);
  }

  @Test
  void aReadThatHdfsRecordsAndAnAuditLogTellsOfIsOne() throws Exception {
    Recency recency = told();
    recency.refresh();
    for (int read = 0; read < 3; read++) {
      Instant at = BEGIN.plus(Duration.ofHours(2L * read));
      hdfs.write(new NamespaceEvent.TimesSet("/a", -1, at.toEpochMilli()));
      audited(at.plusMillis(5), "/a");
      audited(at.plus(Duration.ofHours(2)), "/.raid/owner"); // what we read ourselves comes back
      pass(recency, Duration.ofHours(2));
    }

    assertThat(indexed("/a").lastUsed()).isEqualTo(BEGIN.plus(Duration.ofHours(4)).plusMillis(5));
    assertThat(indexed("/a").accesses().counted()).isCloseTo(3, offset(0.1));
  }

  private double reads(String path) {
    return indexed(path).accesses().counted();
  }

  @Test
  void aReadByInodeIdOfAFileThatIsNewerThanTheScanCounts() throws Exception {
    Recency recency = told();
    recency.refresh();
    hdfs.create("/new/x", 8, BEGIN.plusSeconds(1));
    hdfs.create("/new/y", 9, BEGIN.plusSeconds(2));
    Instant later = BEGIN.plusSeconds(60);
    audited(later, "/.reserved/.inodes/9");

    pass(recency, Duration.ofMinutes(2));

    assertThat(indexed("/new/y").provisional()).isTrue();
    assertThat(indexed("/new/y").lastUsed()).isEqualTo(later);
    assertThat(indexed("/new/x").lastUsed()).isEqualTo(BEGIN.plusSeconds(1));
    assertThat(hdfs.asked).as("for the inode, and for the one file of its time").isEqualTo(2);
    pass(recency, Duration.ofMinutes(2));
    assertThat(hdfs.asked).isEqualTo(2);
    assertThat(counter(recency, "accesses.unknown")).isZero();
  }

  @Test
  void aReadByInodeIdIsKeptUntilTheEditLogReportsTheFile() throws Exception {
    Recency recency = told();
    recency.refresh();
    Instant created = BEGIN.plusSeconds(1);
    hdfs.listed.put(FileFacts.of("/x", 8, 100, 60, 3, created));
    audited(BEGIN.plusSeconds(2), "/.reserved/.inodes/8");
    pass(recency, Duration.ofMinutes(1));
    hdfs.create("/x", 8, created);

    hdfs.lookupFailure = new IOException("refused");
    pass(recency, Duration.ofMinutes(1));
    assertThat(indexed("/x").lastUsed()).isEqualTo(created);

    hdfs.lookupFailure = null;
    pass(recency, Duration.ofMinutes(1));
    assertThat(indexed("/x").lastUsed()).isEqualTo(BEGIN.plusSeconds(2));
    assertThat(reads("/x")).isCloseTo(1, offset(0.1));
  }

  @Test
  void aReadByInodeIdCountsOnceTheScanHasFoundTheFile() throws Exception {
    Recency recency = told();
    recency.refresh();
    hdfs.create("/new/x", 8, BEGIN.plusSeconds(1));
    hdfs.lookupFailure = new IOException("refused");
    audited(BEGIN.plusSeconds(2), "/.reserved/.inodes/8");
    pass(recency, Duration.ofMinutes(1));
    assertThat(indexed("/new/x").lastUsed()).isEqualTo(BEGIN.plusSeconds(1));

    pass(recency, Duration.ofHours(23));
    recency.refresh();
    pass(recency, Duration.ofMinutes(1));

    assertThat(indexed("/new/x").inode()).isEqualTo(8);
    assertThat(indexed("/new/x").lastUsed()).isEqualTo(BEGIN.plusSeconds(2));
  }

  @Test
  void aReadByInodeIdOfAFileThatIsGoneIsUnknown() throws Exception {
    Recency recency = told();
    recency.refresh();
    audited(BEGIN, "/.reserved/.inodes/8");
    pass(recency, Duration.ofMinutes(1));
    audited(BEGIN.plusSeconds(1), "/a");
    pass(recency, Duration.ofMinutes(1));
    assertThat(counter(recency, "accesses.unknown")).isEqualTo(1);
    assertThat(hdfs.asked).isEqualTo(1);
  }

  @Test
  void theNameNodeIsAskedForFewFilesAndNotForEver() throws Exception {
    Recency recency = told();
    recency.refresh();
    for (int inode = 1_000; inode < 1_150; inode++) { // that the index never hears of
      hdfs.listed.put(FileFacts.of("/unheard/" + inode, inode, 100, 60, 3, BEGIN));
      audited(BEGIN.plusSeconds(1), "/.reserved/.inodes/" + inode);
    }
    pass(recency, Duration.ofMinutes(1));
    assertThat(hdfs.asked).isEqualTo(100);
    for (int minute = 0; minute < 20; minute++) {
      pass(recency, Duration.ofMinutes(1));
    }
    assertThat(hdfs.asked).isEqualTo(450);
    pass(recency, Duration.ofHours(26));
    audited(clock.instant(), "/a");
    pass(recency, Duration.ofMinutes(1));
    assertThat(counter(recency, "accesses.unknown")).isEqualTo(150);
  }

  private static long counter(Recency recency, String name) {
    return recency.states().stream()
        .filter(state -> state.name().equals("audit-log"))
        .findFirst()
        .orElseThrow()
        .counters()
        .get(name);
  }

  /** A few files in one directory, and what happened to them, as the test says. */
  private static final class ScriptedHdfs implements NamespaceSources, EditLog {
    final ListedNamespace listed = new ListedNamespace();
    final Map<String, Long> files = new LinkedHashMap<>();
    final List<NamespaceEvent> events = new ArrayList<>();
    IOException failure;
    IOException imageFailure;
    IOException listingFailure;
    int listingsAsked;
    IOException lookupFailure;
    int asked;
    long imageAt;
    long removedUpTo;
    long newest = 10;
    long hidden;
    boolean busy;
    int imagesRead;
    private final List<ImageOrigin> origins = new ArrayList<>();
    Runnable whileImageIsRead = () -> {};

    void put(String path, long inode) {
      files.put(path, inode);
      listed.put(facts(path, inode));
    }

    private static FileFacts facts(String path, long inode) {
      return FileFacts.of(path, inode, 100, 60, 3, LONG_AGO);
    }

    void create(String path, long inode) {
      create(path, inode, BEGIN);
    }

    void create(String path, long inode, Instant at) {
      listed.put(FileFacts.of(path, inode, 100, 60, 3, at));
      write(new NamespaceEvent.FileCreated(path, at.toEpochMilli(), "ann", "ann", 3, 60, false));
    }

    void write(NamespaceEvent event) {
      events.add(event);
      newest++;
    }

    @Override
    public DirectoryListing directories() {
      listingsAsked++;
      return listingFailure == null ? listed : new RefusedListing(listingFailure);
    }

    @Override
    public FileLookup files() {
      return new FileLookup() {
        @Override
        public Optional<Inode.File> find(long inode) throws IOException {
          asked++;
          refuse();
          return listed.find(inode);
        }

        @Override
        public Optional<Inode.File> find(String path) throws IOException {
          asked++;
          refuse();
          return listed.find(path);
        }

        private void refuse() throws IOException {
          if (lookupFailure != null) {
            throw lookupFailure;
          }
        }
      };
    }

    @Override
    public AccessTimeSetting accessTimes() {
      return () -> new AccessTimeSetting.Answer(Duration.ofHours(1), Optional.empty());
    }

    @Override
    public EditLog editLog() {
      return this;
    }

    @Override
    public ProbeRead ownReads() {
      return listed.ownReads();
    }

    @Override
    public long newest() {
      return newest;
    }

    @Override
    public EditBatch after(long transaction) throws IOException {
      if (failure != null) {
        throw failure;
      }
      if (transaction >= newest - hidden) {
        return new EditBatch(transaction, newest, 0, List.of());
      }
      if (transaction < removedUpTo) {
        throw new MissedEditsException(transaction + 1, removedUpTo + 1);
      }
      int known = (int) (transaction - (newest - events.size()));
      EditBatch edits =
          new EditBatch(newest, newest, 0, List.copyOf(events.subList(known, events.size())));
      if (busy) {
        write(new NamespaceEvent.TimesSet("/a", -1, 1));
      }
      return edits;
    }

    @Override
    public Image image(Path folder, ImageOrigin origin) throws IOException {
      imagesRead++;
      origins.add(origin);
      whileImageIsRead.run();
      if (imageFailure != null) {
        throw imageFailure;
      }
      return new Image() {
        @Override
        public long transaction() {
          return imageAt;
        }

        @Override
        public long inodes() {
          return files.size() + 1L;
        }

        @Override
        public void read(Visitor visitor) {
          visitor.inode(new Inode.Directory(Inode.ROOT, "", "hdfs", "hdfs", 0, Snapshots.NONE));
          files.forEach(
              (path, inode) -> {
                Inode.File file = ListedNamespace.inode(facts(path, inode));
                if (inode == PARITY) {
                  visitor.inode(file, Map.of(Image.MARK_OF_PARITY + "0", new byte[1]));
                } else {
                  visitor.inode(file);
                }
                visitor.place(inode, Inode.ROOT);
              });
        }
      };
    }
  }

  private record RefusedListing(IOException failure) implements DirectoryListing {
    @Override
    public void read(DirectoryListing.Visitor visitor) throws IOException {
      throw failure;
    }

    @Override
    public void read(List<String> parentsFirst, DirectoryListing.Visitor visitor)
        throws IOException {
      throw failure;
    }
  }
}
