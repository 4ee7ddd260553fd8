// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.recency.editlog.EditLogFollower;
import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.InodeAccess;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.source.AccessBatch;
import io.hdfsraid.recency.source.MemoryTimestamps;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexSinkTest {
  private static final Instant NOW = Instant.parse("2026-11-23T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  @TempDir private Path folder;

  private static FileFacts file(String path, long inode) {
    return FileFacts.of(path, inode, 1_000, 1_000, 3, NOW.minus(Duration.ofDays(100)));
  }

  /** Its present path may have been that of another file when it was read. */
  @Test
  void aReadByInodeIsThatOfTheInode() {
    try (NamespaceIndex index = NamespaceIndex.open(folder, CLOCK)) {
      ListedNamespace namespace = new ListedNamespace();
      namespace.put(file("/d/read", 101));
      namespace.put(file("/d/other", 102));
      namespace.takeInto(index, new MemoryTimestamps(), NOW);
      Map<Long, List<Access>> counted = new HashMap<>();
      IndexSink sink = new IndexSink(index, new EarliestRecordedAccess(), counted::putAll, CLOCK);
      long at = NOW.minus(Duration.ofHours(1)).toEpochMilli();
      sink.apply(
          List.of(
              new NamespaceEvent.Renamed("/d/other", "/d/moved", at + 1),
              new NamespaceEvent.Renamed("/d/read", "/d/other", at + 2)),
          7,
          new Watermark(EditLogFollower.SOURCE, "7"));

      long unknown =
          sink.accessed(
              new AccessBatch(List.of(), List.of(new InodeAccess(101, at, "10.0.0.3"))),
              new Watermark("audit-log", "1"));

      assertThat(unknown).isZero();
      assertThat(counted.keySet()).containsExactly(101L);
    }
  }

  @Test
  void eachReadOfAFileIsReportedOnceAlsoAfterACrash() {
    try (NamespaceIndex index = NamespaceIndex.open(folder, CLOCK)) {
      ListedNamespace namespace = new ListedNamespace();
      namespace.put(file("/d/raided", 101));
      namespace.put(file("/d/left", 102));
      namespace.put(file("/d/hot", 103));
      namespace.takeInto(index, new MemoryTimestamps(), NOW);
      Map<Long, List<String>> readers = new HashMap<>();
      ReadListener listener =
          reads ->
              reads.forEach(
                  (inode, accesses) ->
                      accesses.forEach(
                          access ->
                              readers
                                  .computeIfAbsent(inode, file -> new ArrayList<>())
                                  .add(access.client())));
      IndexSink sink = new IndexSink(index, new EarliestRecordedAccess(), listener, CLOCK);
      long at = NOW.minus(Duration.ofHours(1)).toEpochMilli();
      AccessBatch accesses =
          new AccessBatch(
              List.of(
                  new Access("/d/raided", at, "10.0.0.1"),
                  new Access("/d/left", at),
                  new Access("/d/hot", at),
                  new Access("/d/raided", at + 1),
                  new Access("/d/moved", at)),
              List.of(
                  new InodeAccess(101, at + 2, "10.0.0.3"), new InodeAccess(999, at, "10.0.0.3")));

      assertThat(sink.accessed(accesses, new Watermark("audit-log", "1")))
          .as("reads by paths of files that are not there")
          .isEqualTo(1);
      long unused = sink.accessed(accesses, new Watermark("audit-log", "1")); // after a crash, say

      assertThat(readers)
          .isEqualTo(
              Map.of(
                  101L, List.of("10.0.0.1", "", "10.0.0.3"), 102L, List.of(""), 103L, List.of("")));
    }
  }
}
