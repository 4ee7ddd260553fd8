package io.hdfsraid.recency;

import io.hdfsraid.recency.editlog.EditLogFollower;
import io.hdfsraid.recency.editlog.EventSink;
import io.hdfsraid.recency.index.ApplyResult;
import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.InodeAccess;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.source.AccessBatch;
import io.hdfsraid.recency.source.AccessSink;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes the events and accesses of all sources into the index. */
final class IndexSink implements EventSink, AccessSink {
  private static final Duration LATELY = Duration.ofDays(1);

  private final NamespaceIndex index;
  private final EarliestRecordedAccess recorded;
  private final ReadListener listener;
  private final Clock clock;

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
    List<Access> all = new ArrayList<>(index.atPresentPaths(accesses.byPath()));
    long gone = 0;
    for (InodeAccess access : accesses.byInode()) {
      Optional<String> path = index.path(access.inode());
      path.ifPresent(there -> all.add(access.at(there)));
      gone += path.isEmpty() ? 1 : 0;
    }
    Map<Long, List<Access>> reads = new HashMap<>();
    ApplyResult applied =
        index.accessed(
            all,
            watermark,
            (access, inode) ->
                reads.computeIfAbsent(inode, file -> new ArrayList<>(1)).add(access));
    listener.read(reads);
    return gone + applied.unknown();
  }
}
