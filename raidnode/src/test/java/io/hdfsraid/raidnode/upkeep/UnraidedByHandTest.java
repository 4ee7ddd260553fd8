// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.core.FileMarks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnraidedByHandTest {
  private static final Instant NOW = Instant.parse("2029-06-01T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final long FILE = 101;

  @TempDir Path folder;

  private final Set<Long> marked = new TreeSet<>();
  private boolean unreachable;
  private Catalog catalog;
  private UnraidedByHand byHand;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, CLOCK);
    new Journal(catalog, CLOCK, RaidEvents.NONE)
        .wanted(FileFacts.of("/cold/file", FILE, 100, 60, 3, NOW), "operator");
    byHand =
        new UnraidedByHand(
            catalog.files(),
            new FileMarks() {
              @Override
              public void mark(long inode) throws IOException {
                requireAnswer();
                marked.add(inode);
              }

              @Override
              public void clear(long inode) throws IOException {
                requireAnswer();
                marked.remove(inode);
              }

              @Override
              public boolean isMarked(long inode) {
                return marked.contains(inode);
              }

              private void requireAnswer() throws IOException {
                if (unreachable) {
                  throw new IOException("safe mode");
                }
              }
            });
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private boolean isKnown() {
    return catalog.files().find(FILE).orElseThrow().facts().is(Trait.UNRAIDED_BY_OPERATOR);
  }

  @Test
  void catalogAndClusterRememberAndForgetAFile() throws IOException {
    byHand.remember(FILE);
    assertThat(marked).containsExactly(FILE);
    assertThat(isKnown()).isTrue();

    byHand.forget(FILE);
    assertThat(marked).isEmpty();
    assertThat(isKnown()).isFalse();
  }

  @Test
  void whatTheClusterCannotRememberTheCatalogDoes() {
    unreachable = true;

    byHand.remember(FILE);

    assertThat(isKnown()).isTrue();
    assertThatThrownBy(() -> byHand.forget(FILE)).hasMessage("safe mode");
    assertThat(isKnown()).as("until both can forget it").isTrue();
  }

  @Test
  void anOldCatalogForgetsWhatIsNotMarkedAnyMore() throws IOException {
    byHand.remember(FILE);
    byHand.believeTheFiles();
    assertThat(isKnown()).isTrue();

    marked.clear(); // by a daemon with another catalog
    byHand.believeTheFiles();
    assertThat(isKnown()).isFalse();
  }

  @Test
  void nothingStaysOnAClusterThatTheDaemonLeaves() throws IOException {
    byHand.remember(FILE);

    byHand.removeMarks();

    assertThat(marked).isEmpty();
  }
}
