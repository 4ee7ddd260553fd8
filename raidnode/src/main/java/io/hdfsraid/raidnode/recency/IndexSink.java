package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.ReheatCosts;
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
  private final KnownFiles files;
  private final ReheatCosts reheatCosts;
  private final Clock clock;

  /**
   * A sink.
   *
   * @param catalog whose index takes it in
   * @param recorded is shown what accesses HDFS has recorded of late
   */
  IndexSink(Catalog catalog, EarliestAccess recorded, Clock clock) {
    this.index = catalog.namespace();
    this.files = catalog.files();
    this.reheatCosts = catalog.reheatCosts();
    this.recorded = recorded;
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
  public void accessed(Accesses accesses, Watermark watermark) {
    List<Access> all = new ArrayList<>(accesses.byPath());
    for (InodeAccess access : accesses.byInode()) {
      index.path(access.inode()).ifPresent(path -> all.add(new Access(path, access.at())));
    }
    Map<Long, Integer> opens = new HashMap<>();
    index.accessed(all, watermark, inode -> opens.merge(inode, 1, Integer::sum));
    reheatCosts.opened(
        opens.entrySet().stream()
            .filter(file -> isRaided(file.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum());
  }

  private boolean isRaided(long inode) {
    return files.find(inode).filter(file -> file.parity().isPresent()).isPresent();
  }
}
