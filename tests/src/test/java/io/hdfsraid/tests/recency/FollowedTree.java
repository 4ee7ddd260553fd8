// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import io.hdfsraid.recency.editlog.EventSink;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.NamespaceEvent.Deleted;
import io.hdfsraid.recency.namespace.NamespaceEvent.DirectoryCreated;
import io.hdfsraid.recency.namespace.NamespaceEvent.FileCreated;
import io.hdfsraid.recency.namespace.NamespaceEvent.Renamed;
import io.hdfsraid.recency.namespace.NamespaceEvent.TimesSet;
import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The simplest index there can be: the paths that events leave, and who was read when. */
final class FollowedTree implements EventSink {
  private final TreeSet<String> paths = new TreeSet<>();
  private final Map<String, Long> accessed = new HashMap<>();
  private Watermark watermark;
  private long lastTransaction;
  private int failures;

  /** It is as an image says. */
  synchronized void image(Set<String> all, String source, long transaction) {
    paths.clear();
    paths.addAll(all);
    watermark = new Watermark(source, Long.toString(transaction));
    lastTransaction = transaction;
  }

  /** The next batches are refused. */
  synchronized void fail(int times) {
    failures = times;
  }

  synchronized Set<String> paths() {
    return new TreeSet<>(paths);
  }

  synchronized Optional<Long> accessed(String path) {
    return Optional.ofNullable(accessed.get(path));
  }

  synchronized long lastTransaction() {
    return lastTransaction;
  }

  @Override
  public synchronized Optional<Watermark> watermark(String source) {
    return Optional.ofNullable(watermark);
  }

  @Override
  public synchronized void apply(List<NamespaceEvent> events, long transaction, Watermark reached)
      throws IOException {
    if (failures > 0) {
      failures--;
      throw new IOException("no room for " + events.size() + " events");
    }
    if (transaction <= lastTransaction) {
      throw new IllegalStateException(
          "transaction %d came after %d".formatted(transaction, lastTransaction));
    }
    events.forEach(this::apply);
    watermark = reached;
    lastTransaction = transaction;
  }

  private void apply(NamespaceEvent event) {
    if (event instanceof FileCreated || event instanceof DirectoryCreated) {
      paths.add(event.path());
    } else if (event instanceof Deleted) {
      take(event.path());
    } else if (event instanceof Renamed renamed) {
      take(renamed.to());
      for (String moved : take(renamed.path())) {
        paths.add(renamed.to() + moved.substring(renamed.path().length()));
      }
    } else if (event instanceof TimesSet times && times.accessed() >= 0) {
      accessed.put(times.path(), times.accessed());
    }
  }

  private List<String> take(String path) {
    List<String> taken = new ArrayList<>();
    if (paths.remove(path)) {
      taken.add(path);
    }
    taken.addAll(paths.subSet(path + "/", path + "0"));
    taken.forEach(paths::remove);
    return taken;
  }
}
