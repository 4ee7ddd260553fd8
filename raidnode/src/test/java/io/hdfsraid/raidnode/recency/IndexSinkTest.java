package io.hdfsraid.raidnode.recency;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidapi.ReheatCost;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.Standing;
import io.hdfsraid.raidnode.namespace.Access;
import io.hdfsraid.raidnode.namespace.InodeAccess;
import io.hdfsraid.raidnode.namespace.Watermark;
import io.hdfsraid.raidnode.recency.source.Accesses;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexSinkTest {
  private static final Instant NOW = Instant.parse("2026-11-23T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  @TempDir private Path folder;

  private static FileFacts file(String path, long inode) {
    return FileFacts.of(path, inode, 1_000, 1_000, 3, NOW.minus(Duration.ofDays(100)));
  }

  @Test
  void opensOfRaidedFilesAreCountedEachOnceAlsoOverARestart() {
    try (Catalog catalog = Catalog.open(folder, CLOCK)) {
      ListedNamespace namespace = new ListedNamespace();
      namespace.put(file("/d/raided", 101));
      namespace.put(file("/d/left", 102));
      namespace.put(file("/d/hot", 103));
      namespace.takeInto(catalog, NOW);
      catalog
          .files()
          .put(
              new FileRecord(
                  file("/d/raided", 101).withParity(1),
                  Standing.of(FileStatus.RAIDED, "cold", NOW.minus(Duration.ofDays(1))),
                  Optional.of(new Parity("rs-10-4", 3, 1, 1, 25, 512)),
                  NOW));
      catalog
          .files()
          .put(
              new FileRecord(
                  file("/d/left", 102),
                  Standing.of(FileStatus.LEFT, "cold", NOW),
                  Optional.empty(),
                  NOW));
      ReadLocality locality =
          (inode, readers) -> {
            assertThat(readers).containsExactly("10.0.0.1", "", "10.0.0.3");
            return OptionalDouble.of(1.5);
          };
      IndexSink sink =
          new IndexSink(
              catalog, new EarliestAccess(), new RaidedReads(catalog, locality, CLOCK), CLOCK);
      long at = NOW.minus(Duration.ofHours(1)).toEpochMilli();
      Accesses accesses =
          new Accesses(
              List.of(
                  new Access("/d/raided", at, "10.0.0.1"),
                  new Access("/d/left", at),
                  new Access("/d/hot", at),
                  new Access("/d/raided", at + 1),
                  new Access("/d/moved", at)),
              List.of(
                  new InodeAccess(101, at + 2, "10.0.0.3"), new InodeAccess(999, at, "10.0.0.3")));

      assertThat(sink.accessed(accesses, new Watermark("audit-log", "1")))
          .as("of what is not there")
          .isEqualTo(2);
      long unused = sink.accessed(accesses, new Watermark("audit-log", "1")); // after a crash, say
    }
    try (Catalog catalog = Catalog.open(folder, Clock.systemUTC())) {
      assertThat(catalog.reheatCosts().now()).isEqualTo(new ReheatCost(NOW, 3, 3, 1.5, 0, 0));
    }
  }
}
