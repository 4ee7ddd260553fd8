// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.History;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.hdfs.Term;
import io.hdfsraid.raidnode.hdfs.Terms;
import io.hdfsraid.recency.SettableClock;
import io.hdfsraid.recency.source.Timestamps;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceWatchTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir private Path folder;

  private final SettableClock clock = new SettableClock(NOW);
  private Catalog catalog;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, clock);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private NamespaceWatch watch() {
    return new NamespaceWatch(catalog, clock);
  }

  private static Terms terms(Term... all) {
    return new Terms(16390, List.of(all));
  }

  private static Term term(String id, long beats) {
    return new Term(id, 1, beats);
  }

  private List<HistoryRecord> history() {
    return catalog.history().newest(Optional.empty(), line -> true, 10, 10).stream()
        .map(History.Line::outcome)
        .toList();
  }

  @Test
  void aNamespaceThatWentOnIsTheSame() {
    assertThat(watch().compare(terms(term("a", 0)))).as("a new catalog").isEmpty();
    watch().own(terms(term("a", 0)));
    watch().ownAgain(terms(term("a", 340)));
    Terms next = terms(term("a", 341), term("b", 0));
    assertThat(watch().compare(next)).isEmpty();
    watch().own(next);
    assertThat(watch().compare(terms(term("a", 341), term("b", 17), term("c", 0)))).isEmpty();
    assertThat(history()).isEmpty();
  }

  @Test
  void whenItWasSetBackTheCatalogIsComparedWithAllOfIt() {
    watch().own(terms(term("a", 340)));
    List<String> notes = List.of(Notes.LAST_CHECK, Notes.LAST_FULL_CHECK, Notes.LAST_SCAN);
    for (String note : notes) {
      catalog.notes().instant(note, NOW);
    }
    Terms setBack = terms(term("a", 20), term("b", 900));
    assertThat(watch().compare(setBack))
        .hasValueSatisfying(
            sentence ->
                assertThat(sentence)
                    .contains("it does not know heartbeat 340 of the owner's term a"));
    assertThat(history())
        .singleElement()
        .satisfies(line -> assertThat(line.event()).isEqualTo("namespace-set-back"));
    assertThat(notes).noneMatch(note -> catalog.notes().instant(note).isPresent());
    assertThat(watch().compare(setBack)).as("who dies meanwhile begins again").isPresent();
    watch().own(setBack);
    assertThat(watch().compare(terms(term("a", 20), term("b", 907), term("c", 0)))).isEmpty();
  }

  @Test
  void whoOnlyLooksDoesNotHideThatItWasSetBack() {
    watch().see(terms(term("a", 340)));
    Terms setBack = terms(term("a", 20), term("b", 900));
    watch().see(setBack);
    assertThat(watch().compare(setBack)).isPresent();
  }

  @Test
  void whatAnotherOwnerHasDecidedIsNotOlderThanThisCatalog() {
    watch().own(terms(term("a", 340)));
    watch().see(terms(term("a", 350), term("b", 700)));
    Terms setBack = terms(term("a", 350), term("b", 20), term("c", 0));
    assertThat(watch().compare(setBack)).isPresent();
    assertThat(watch().isOlderThanCatalog(setBack)).isFalse();
    assertThat(watch().isOlderThanCatalog(terms(term("a", 20), term("c", 0)))).isTrue();
  }

  @Test
  void nothingIsNotedWhileTheHeartbeatsAreNotKnown() {
    watch().see(terms(term("a", Long.MAX_VALUE)));
    assertThat(watch().compare(terms(term("b", 0)))).isEmpty();
  }

  @Test
  void whileNothingChangesHeartbeatsAreNotedEvery30Seconds() {
    NamespaceWatch watch = watch();
    watch.own(terms(term("a", 1)));
    long sequence = catalog.sequence();
    clock.pass(Duration.ofSeconds(29));
    watch.ownAgain(terms(term("a", 15)));
    assertThat(catalog.sequence()).isEqualTo(sequence);
    clock.pass(Duration.ofSeconds(1));
    watch.ownAgain(terms(term("a", 16)));
    assertThat(watch.compare(terms(term("a", 14)))).isPresent();
    catalog.notes().text("anything", "changes");
    watch.ownAgain(terms(term("a", 17)));
    assertThat(watch.compare(terms(term("a", 15)))).isPresent();
  }

  @Test
  void itIsUnderWayUntilAllParityAndAllFilesWereLookedAtSince() {
    Notes notes = catalog.notes();
    assertThat(NamespaceWatch.underWay(notes)).isEmpty();
    notes.instant(Timestamps.LAST_SET_BACK, NOW);
    assertThat(NamespaceWatch.underWay(notes)).contains(NOW);
    notes.instant(Timestamps.LAST_LISTING, NOW);
    notes.instant(Notes.LAST_FULL_CHECK, NOW);
    assertThat(NamespaceWatch.underWay(notes)).isEmpty();
    notes.setBack(NOW);
    assertThat(NamespaceWatch.underWay(notes)).as("nothing was read since").isPresent();
    notes.instant(Timestamps.LAST_IMAGE, NOW);
    assertThat(NamespaceWatch.underWay(notes)).isEmpty();
    notes.distrust();
    assertThat(NamespaceWatch.underWay(notes)).as("no parity was checked since").isPresent();
  }
}
