package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.namespace.Applied;
import io.hdfsraid.raidnode.catalog.namespace.NamespaceIndex;
import io.hdfsraid.raidnode.namespace.Access;
import io.hdfsraid.raidnode.namespace.InodeAccess;
import io.hdfsraid.raidnode.namespace.NamespaceEvent;
import io.hdfsraid.raidnode.namespace.Watermark;
import io.hdfsraid.raidnode.recency.source.AccessSink;
import io.hdfsraid.raidnode.recency.source.Accesses;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Takes what sources tell into the index. */
final class IndexSink implements EventSink, AccessSink {
  private static final Duration LATELY = Duration.ofDays(1);

  private final NamespaceIndex index;
  private final EarliestAccess recorded;
  private final RaidedReads raidedReads;
  private final Clock clock;

  /**
   * A sink.
   *
   * @param catalog whose index takes it in
   * @param recorded is shown what accesses HDFS has recorded of late
   * @param raidedReads is told of all reads that audit logs tell of
   */
  IndexSink(Catalog catalog, EarliestAccess recorded, RaidedReads raidedReads, Clock clock) {
    this.index = catalog.namespace();
    this.recorded = recorded;
    this.raidedReads = raidedReads;
    this.clock = clock;
  }

  /** Of the edit log, the index knows itself how far it is, also after an image was taken in. */
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
    // Anybody may set a time to anything: what is long past proves no record of that time.
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
  public long accessed(Accesses accesses, Watermark watermark) {
    List<Access> all = new ArrayList<>(accesses.byPath());
    long gone = 0;
    for (InodeAccess access : accesses.byInode()) {
      Optional<String> path = index.path(access.inode());
      path.ifPresent(there -> all.add(access.at(there)));
      gone += path.isEmpty() ? 1 : 0;
    }
    Map<Long, List<Access>> reads = new HashMap<>();
    Applied applied =
        index.accessed(
            all,
            watermark,
            (access, inode) ->
                reads.computeIfAbsent(inode, file -> new ArrayList<>(1)).add(access));
    raidedReads.count(reads);
    return gone + applied.unknown();
  }
}
