package io.hdfsraid.raidnode.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.mode.OperatingMode.Withdrawal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
      mirror.takeOver();
      new OperatingMode(catalog.notes(), CLOCK).withdraw(Withdrawal.PURGE);
      new WorkingHours(catalog.notes(), CLOCK).override(shut);
      mirror.update();
    }
    try (Catalog catalog = open("second")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      mirror.takeOver();
      OperatingMode mode = new OperatingMode(catalog.notes(), CLOCK);
      assertThat(mode.paused()).contains(NOW);
      assertThat(mode.withdrawal()).contains(Withdrawal.PURGE);
      assertThat(new WorkingHours(catalog.notes(), CLOCK).wanted()).contains(shut);

      mode.resume();
      mirror.update();
      assertThat(there).as("of this, nothing is decided any more").hasSize(1);
    }
  }

  @Test
  void aRootThatIsMadeAnewGetsTheDecisions() throws IOException {
    try (Catalog catalog = open("catalog")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      mirror.takeOver();
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
      mirror.takeOver();
      mode.pause();
      mirror.update();
      mode.resume();
      unreachable = true;
      assertThatThrownBy(mirror::update).hasMessage("safe mode");
    }
    unreachable = false;
    try (Catalog catalog = open("catalog")) {
      DecisionMirror mirror = new DecisionMirror(catalog.notes(), store);
      mirror.takeOver();
      assertThat(new OperatingMode(catalog.notes(), CLOCK).paused()).isEmpty();
      mirror.update();
      assertThat(there).isEmpty();
    }
  }
}
