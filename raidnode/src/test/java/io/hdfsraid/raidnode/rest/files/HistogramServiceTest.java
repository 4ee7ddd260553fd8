// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.recency.ListedNamespace;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistogramServiceTest {
  private static final Instant NOW = Instant.parse("2029-03-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  @TempDir Path folder;

  private final ListedNamespace namespace = new ListedNamespace();
  private Catalog catalog;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, CLOCK);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  @Test
  void theFilesOfTheIndexBelowAPathAreCountedWithoutParity() {
    HistogramService view = new HistogramService(catalog, "/.raid", CLOCK);
    assertThatThrownBy(() -> view.histogram("/")).isInstanceOf(ApiFailure.class);
    catalog.notes().instant(Notes.LAST_SCAN, NOW);
    index("/data/a", 1, 100, Duration.ofDays(8));
    index("/data/b", 2, 10, Duration.ofDays(1));
    index("/.raid/data/a", 4, 7, Duration.ofDays(1));
    index("/database", 3, 1, Duration.ofDays(400));

    assertThat(view.histogram("/").total()).isEqualTo(new FileHistogram.Amount(3, 111, 333));
    assertThat(view.histogram("/data").total()).isEqualTo(new FileHistogram.Amount(2, 110, 330));
    assertThat(view.histogram("/data").cells())
        .extracting(FileHistogram.Cell::age)
        .containsExactly("1-7d", "7-30d");
    assertThat(view.histogram("/data/b").path()).isEqualTo("/data/b");
    assertThat(view.histogram("/data/b").total().logicalBytes()).isEqualTo(10);
    assertThat(view.histogram("/.raid").total().files()).as("there, but parity").isZero();
    assertThatThrownBy(() -> view.histogram("/nothing"))
        .isInstanceOf(ApiFailure.class)
        .hasMessageContaining("/nothing does not exist");
  }

  private void index(String path, long inode, long length, Duration age) {
    FileFacts facts = FileFacts.of(path, inode, length, 60, 3, NOW.minus(age));
    namespace.put(facts);
    namespace.takeInto(catalog.namespace(), catalog.notes(), NOW);
  }
}
