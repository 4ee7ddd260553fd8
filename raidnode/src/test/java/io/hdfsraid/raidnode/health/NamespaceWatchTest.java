// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.History;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.hdfs.LastTerm;
import io.hdfsraid.raidnode.hdfs.Term;
import io.hdfsraid.raidnode.hdfs.Terms;
import io.hdfsraid.recency.SettableClock;
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
    assertThat(watch().see(terms(term("a", 340)))).isFalse();
    assertThat(watch().compare(terms(term("a", 341), term("b", 0)))).isEmpty();
    assertThat(watch().compare(terms(term("a", 341), term("b", 17), term("c", 0)))).isEmpty();
    assertThat(history()).isEmpty();
  }

  @Test
  void whatWasSetBackIsSaidUntilItIsHeeded() {
    watch().accept(terms(term("a", 340)));
    Terms setBack = terms(term("a", 20), term("b", 900));
    NamespaceWatch.SetBack found = watch().compare(setBack).orElseThrow();
    assertThat(found.lost()).isEqualTo(new LastTerm(16390, "a", 340));
    assertThat(found.isNews()).isTrue();
    assertThat(found.sentence()).contains("it does not know heartbeat 340 of the owner's term a");
    assertThat(history())
        .singleElement()
        .satisfies(line -> assertThat(line.event()).isEqualTo("namespace-set-back"));
    assertThat(watch().compare(setBack)).as("who dies meanwhile begins again").isPresent();
    watch().accept(setBack);
    assertThat(watch().compare(terms(term("a", 20), term("b", 907), term("c", 0)))).isEmpty();
  }

  @Test
  void whatAnotherOwnerHasHeededIsNoNews() {
    watch().accept(terms(term("a", 340)));
    Terms setBack = terms(term("a", 20), term("a", Long.MIN_VALUE), term("b", 900), term("c", 0));
    assertThat(watch().compare(setBack).orElseThrow().isNews()).isFalse();
    assertThat(history()).isEmpty();
  }

  @Test
  void whoOnlyLooksDoesNotHideThatItWasSetBack() {
    assertThat(watch().see(terms(term("a", 340)))).isFalse();
    Terms setBack = terms(term("a", 20), term("b", 900));
    assertThat(watch().see(setBack)).isTrue();
    assertThat(watch().compare(setBack)).isPresent();
  }

  @Test
  void nothingIsNotedWhileTheHeartbeatsAreNotKnown() {
    assertThat(watch().see(terms(term("a", Long.MAX_VALUE)))).isFalse();
    assertThat(watch().compare(terms(term("b", 0)))).isEmpty();
  }

  @Test
  void whileNothingChangesHeartbeatsAreNotedEvery30Seconds() {
    NamespaceWatch watch = watch();
    watch.accept(terms(term("a", 1)));
    long sequence = catalog.sequence();
    clock.pass(Duration.ofSeconds(29));
    assertThat(watch.see(terms(term("a", 15)))).isFalse();
    assertThat(catalog.sequence()).isEqualTo(sequence);
    clock.pass(Duration.ofSeconds(1));
    assertThat(watch.see(terms(term("a", 16)))).isFalse();
    assertThat(watch.see(terms(term("a", 14)))).isTrue();
    catalog.notes().text("anything", "changes");
    assertThat(watch.see(terms(term("a", 17)))).isFalse();
    assertThat(watch.see(terms(term("a", 15)))).isTrue();
  }
}
