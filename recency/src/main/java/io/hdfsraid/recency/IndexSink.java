// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.recency.editlog.EditLogFollower;
import io.hdfsraid.recency.editlog.EventSink;
import io.hdfsraid.recency.index.ApplyResult;
import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.listing.FileLookup;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.InodeAccess;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.source.AccessBatch;
import io.hdfsraid.recency.source.AccessSink;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ObjLongConsumer;

/** Writes the events and accesses of all sources into the index. */
final class IndexSink implements EventSink, AccessSink {
  private static final Duration LATELY = Duration.ofDays(1);

  /** Each takes some 200 bytes. */
  private static final int MOST_UNIDENTIFIED = 100_000;

  private final NamespaceIndex index;
  private final EarliestRecordedAccess recorded;
  private final ReadListener listener;
  private final Clock clock;
  private final UnidentifiedReads unidentified;

  /**
   * @param recorded receives the access times that HDFS recorded lately
   * @param listener receives all reads that audit logs report
   */
  IndexSink(
      NamespaceIndex index, EarliestRecordedAccess recorded, ReadListener listener, Clock clock) {
    this.index = index;
    this.recorded = recorded;
    this.listener = listener;
    this.clock = clock;
    this.unidentified = new UnidentifiedReads(MOST_UNIDENTIFIED, clock);
  }

  /** The index knows the last transaction itself, also after an image. */
  @Override
  public Optional<Watermark> watermark(String source) {
    if (source.equals(EditLogFollower.SOURCE)) {
      OptionalLong transaction = index.transaction();
      return transaction.isPresent()
          ? Optional.of(new Watermark(source, Long.toString(transaction.getAsLong())))
          : Optional.empty();
    }
    return index.watermark(source);
  }

  @Override
  public void apply(List<NamespaceEvent> events, long transaction, Watermark watermark) {
    // A user may set any access time, so an old one does not prove that it was recorded then.
    long late = clock.instant().minus(LATELY).toEpochMilli();
    for (NamespaceEvent event : events) {
      if (event instanceof NamespaceEvent.TimesSet times
          && times.modified() < 0
          && times.accessed() > late) {
        recorded.look(times.accessed());
      }
    }
    index.apply(events, transaction, watermark);
  }

  @Override
  public long accessed(AccessBatch accesses, Watermark watermark) {
    if (index.watermark(watermark.source()).filter(watermark::equals).isPresent()) {
      return 0; // was taken in before
    }
    List<Access> all = new ArrayList<>(index.atPresentPaths(accesses.byPath()));
    List<InodeAccess> unknown = new ArrayList<>();
    for (InodeAccess access : accesses.byInode()) {
      index
          .path(access.inode())
          .ifPresentOrElse(path -> all.add(access.at(path)), () -> unknown.add(access));
    }
    Reads reads = new Reads();
    ApplyResult applied = index.accessed(all, watermark, reads);
    listener.read(reads.byFile);
    unknown.forEach(unidentified::add);
    return applied.unknown() + unidentified.takeGivenUp();
  }

  /**
   * Counts reads by the inode ids of files that were new then, if their paths are known by now or
   * can be asked for. Does so once a minute.
   *
   * @param files asked for files that the index knows only from events; empty if there are none
   */
  void identify(Optional<FileLookup> files) throws IOException {
    if (!unidentified.isDue()) {
      return;
    }
    count(unidentified.takeKnown(index));
    if (files.isPresent()) {
      count(unidentified.takeFound(index, files.get()));
    }
  }

  private void count(List<Access> accesses) {
    if (!accesses.isEmpty()) {
      Reads reads = new Reads();
      ApplyResult unused = index.accessedEarlier(accesses, reads);
      listener.read(reads.byFile);
    }
  }

  /** Collects the reads of each file, by inode id. */
  private static final class Reads implements ObjLongConsumer<Access> {
    private final Map<Long, List<Access>> byFile = new HashMap<>();

    @Override
    public void accept(Access access, long inode) {
      byFile.computeIfAbsent(inode, file -> new ArrayList<>(1)).add(access);
    }
  }
}
