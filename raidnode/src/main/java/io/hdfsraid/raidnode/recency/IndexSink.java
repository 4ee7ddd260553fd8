package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.catalog.namespace.NamespaceIndex;
import io.hdfsraid.raidnode.namespace.Access;
import io.hdfsraid.raidnode.namespace.InodeAccess;
import io.hdfsraid.raidnode.namespace.NamespaceEvent;
import io.hdfsraid.raidnode.namespace.Watermark;
import io.hdfsraid.raidnode.recency.source.AccessSink;
import io.hdfsraid.raidnode.recency.source.Accesses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Takes what sources tell into the index. */
final class IndexSink implements EventSink, AccessSink {
  private final NamespaceIndex index;

  IndexSink(NamespaceIndex index) {
    this.index = index;
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
    index.apply(events, transaction, watermark);
  }

  @Override
  public void accessed(Accesses accesses, Watermark watermark) {
    List<Access> all = new ArrayList<>(accesses.byPath());
    for (InodeAccess access : accesses.byInode()) {
      index.path(access.inode()).ifPresent(path -> all.add(new Access(path, access.at())));
    }
    index.accessed(all, watermark);
  }
}
