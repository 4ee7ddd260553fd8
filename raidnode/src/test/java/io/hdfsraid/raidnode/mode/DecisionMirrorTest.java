// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.mode.OperatingMode.Withdrawal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionMirrorTest {
  private static final Instant NOW = Instant.parse("2029-06-01T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  @TempDir Path folder;

  private final Map<String, String> there = new TreeMap<>();
  private boolean unreachable;

  private final DecisionStore store =
      new DecisionStore() {
        @Override
        public Map<String, String> read() {
          return Map.copyOf(there);
        }

        @Override
        public void write(String name, Optional<String> value) throws IOException {
          if (unreachable) {
            throw new IOException("safe mode");
          }
          value.ifPresentOrElse(text -> there.put(name, text), () -> there.remove(name));
        }
      };

  private Catalog open(String name) {
    return Catalog.open(folder.resolve(name), CLOCK);
  }

  @Test
  void aDaemonWithANewCatalogKnowsWhatWasDecided() throws IOException {
    ManualOverride shut = new ManualOverride(ManualOverride.State.CLOSED, NOW.plusSeconds(60));
    try (Catalog catalog = open("first")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      boolean unused = mirror.takeOver();
      mirror.claim();
      new OperatingMode(catalog.notes(), CLOCK).withdraw(Withdrawal.PURGE);
      new WorkingHours(catalog.notes(), CLOCK).override(shut);
      mirror.update();
    }
    try (Catalog catalog = open("second")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      boolean unused = mirror.takeOver();
      mirror.claim();
      OperatingMode mode = new OperatingMode(catalog.notes(), CLOCK);
      assertThat(mode.paused()).contains(NOW);
      assertThat(mode.withdrawal()).contains(Withdrawal.PURGE);
      assertThat(new WorkingHours(catalog.notes(), CLOCK).wanted()).contains(shut);

      mode.resume();
      mirror.update();
      assertThat(there)
          .as("of this, nothing is decided any more")
          .containsOnlyKeys(DecisionMirror.BY, WorkingHours.NOTE);
    }
  }

  @Test
  void aRootThatIsMadeAnewGetsTheDecisions() throws IOException {
    try (Catalog catalog = open("catalog")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      boolean unused = mirror.takeOver();
      mirror.claim();
      new OperatingMode(catalog.notes(), CLOCK).pause();
      mirror.update();
      Map<String, String> decided = Map.copyOf(there);
      there.clear();

      mirror.update();

      assertThat(there).isEqualTo(decided).isNotEmpty();
    }
  }

  @Test
  void theCatalogOfADaemonThatWasStoppedIsNewerThanTheCopy() throws IOException {
    try (Catalog catalog = open("catalog")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      OperatingMode mode = new OperatingMode(catalog.notes(), CLOCK);
      boolean unused = mirror.takeOver();
      mirror.claim();
      mode.pause();
      mirror.update();
      mode.resume();
      unreachable = true;
      assertThatThrownBy(mirror::update).hasMessage("safe mode");
    }
    unreachable = false;
    try (Catalog catalog = open("catalog")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      boolean unused = mirror.takeOver();
      mirror.claim();
      assertThat(new OperatingMode(catalog.notes(), CLOCK).paused()).isEmpty();
      mirror.update();
      assertThat(there).containsOnlyKeys(DecisionMirror.BY);
    }
  }

  @Test
  void whatAnotherDaemonHasLeftCountsMoreThanAnOldCatalog() throws IOException {
    try (Catalog catalog = open("old")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      assertThat(mirror.takeOver()).as("new").isFalse();
      mirror.claim();
      new WorkingHours(catalog.notes(), CLOCK)
          .override(new ManualOverride(ManualOverride.State.CLOSED, NOW.plusSeconds(60)));
      mirror.update();
    }
    try (Catalog catalog = open("new")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      assertThat(mirror.takeOver()).as("new").isFalse();
      mirror.claim();
      new WorkingHours(catalog.notes(), CLOCK).follow();
      new OperatingMode(catalog.notes(), CLOCK).pause();
      mirror.update();
    }
    Map<String, String> decided = Map.copyOf(there);
    try (Catalog catalog = open("old")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      assertThat(mirror.takeOver()).as("another has worked since").isTrue();
      assertThat(new DecisionMirror(catalog.notes(), store).takeOver())
          .as("the daemon has died before all was done that follows from that")
          .isTrue();
      mirror.claim();
      assertThat(new OperatingMode(catalog.notes(), CLOCK).paused()).contains(NOW);
      assertThat(new WorkingHours(catalog.notes(), CLOCK).wanted()).isEmpty();
      mirror.update();
      assertThat(there).containsOnlyKeys(decided.keySet().toArray(String[]::new));
    }
  }

  @Test
  void aCopyOfACatalogIsAnotherCatalogOnceItWasUsed() throws IOException {
    try (Catalog catalog = open("original")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      assertThat(mirror.takeOver()).isFalse();
      mirror.claim();
      mirror.update();
    }
    Files.createDirectory(folder.resolve("copy"));
    try (Stream<Path> files = Files.list(folder.resolve("original"))) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve("copy").resolve(file.getFileName()));
      }
    }
    try (Catalog catalog = open("copy")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      assertThat(mirror.takeOver()).as("nobody has worked since").isFalse();
      mirror.claim();
      new OperatingMode(catalog.notes(), CLOCK).pause();
      mirror.update();
    }
    try (Catalog catalog = open("original")) {
      assertThat(new DecisionMirror(catalog.notes(), store).takeOver()).isTrue();
      assertThat(new OperatingMode(catalog.notes(), CLOCK).paused()).contains(NOW);
    }
  }
}
