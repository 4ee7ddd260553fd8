// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import io.hdfsraid.recency.namespace.NamespaceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * The events of a busy NameNode with a {@link HiveNamespace}. Of a hundred events, 70 are access
 * times, 10 files that are begun and 10 that are closed, 5 renames of them to where they stay, and
 * 5 deletes of the oldest files. Which directory is read from follows Zipf's law with exponent 1,
 * the newest first; which file of it is uniform.
 */
final class EventStream {
  /** As many as a NameNode tells at a time. */
  static final int BATCH = 1000;

  private static final String STAGING = "/_temporary";

  private final HiveNamespace namespace;
  private final Random random;
  private final Deque<String> open = new ArrayDeque<>();
  private final Deque<String> closed = new ArrayDeque<>();
  private long clock = HiveNamespace.end();
  private long made;
  private long deleted;

  EventStream(HiveNamespace namespace, long seed) {
    this.namespace = namespace;
    this.random = new Random(seed);
  }

  List<NamespaceEvent> next() {
    List<NamespaceEvent> batch = new ArrayList<>(BATCH);
    while (batch.size() < BATCH) {
      clock += 1 + random.nextInt(20);
      batch.add(one(random.nextInt(100)));
    }
    return batch;
  }

  private NamespaceEvent one(int share) {
    if (share < 5 && !closed.isEmpty()) {
      String from = closed.remove();
      return new NamespaceEvent.Renamed(from, from.replace(STAGING, ""), clock);
    }
    if (share < 10) {
      return new NamespaceEvent.Deleted(oldest(), clock);
    }
    if (share < 20) {
      String path =
          namespace.leafPath(namespace.leaves() - 1 - made / 1000 % namespace.leaves())
              + STAGING
              + "/"
              + HiveNamespace.partName(made % 1000, random.nextLong());
      made++;
      open.add(path);
      return new NamespaceEvent.FileCreated(path, clock, "etl_01", "hadoop", 3, 128L << 20, false);
    }
    if (share < 30 && !open.isEmpty()) {
      String path = open.remove();
      closed.add(path);
      return new NamespaceEvent.Closed(path, clock, 1 + random.nextInt(1 << 28));
    }
    return new NamespaceEvent.TimesSet(read(), -1, clock);
  }

  private String oldest() {
    long leaf = deleted / HiveNamespace.FILES_IN_DIRECTORY % namespace.leaves();
    return namespace.filePath(leaf, (int) (deleted++ % HiveNamespace.FILES_IN_DIRECTORY));
  }

  String read() {
    return namespace.filePath(readLeaf(), random.nextInt(HiveNamespace.FILES_IN_DIRECTORY));
  }

  private long readLeaf() {
    long leaves = namespace.leaves();
    long rank = (long) Math.pow((double) leaves, random.nextDouble());
    return leaves - Math.min(leaves, Math.max(1, rank));
  }
}
