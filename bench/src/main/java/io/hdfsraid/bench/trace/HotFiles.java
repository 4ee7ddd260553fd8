// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * Models raiding for lack of room as a cache that evicts: only a share of all bytes may be in files
 * with all their replicas. A written file has all its replicas, and the coldest files, possibly
 * this one, are raided until the rest fits. A read of a raided file is a miss, because most readers
 * are not local to its one replica, and the file gets its replicas back at once.
 *
 * <p>The product is slower at both: it raids once per run, and gives replicas back only after
 * several reads.
 */
final class HotFiles {
  private final Trace trace;
  private final int percent;
  private final Ranking ranking;
  private final IntConsumer raiding;
  private final BitSet hot = new BitSet();
  private final Tally byUsers = new Tally();
  private final Tally byJob = new Tally();
  private long hotBytes;
  private long allBytes;

  /**
   * @param percent share of all bytes that fit
   * @param raiding receives each file that is raided
   */
  HotFiles(Trace trace, int percent, Ranking ranking, IntConsumer raiding) {
    this.trace = trace;
    this.percent = percent;
    this.ranking = ranking;
    this.raiding = raiding;
  }

  /** These are there, and hot; now all that does not fit is raided. */
  void begin(int files) {
    for (int file = 0; file < files; file++) {
      heat(file);
      allBytes += trace.size(file);
    }
    fit();
  }

  void written(int file) {
    allBytes += trace.size(file);
    heat(file);
    fit();
  }

  /** It is read, and the one who keeps the order sees it. */
  void read(int file, Use use) {
    if (count(file, use)) {
      ranking.used(file);
    } else {
      heat(file);
      fit();
    }
  }

  /** It is read by somebody who is to be ignored: what was raided stays raided. */
  void ignored(int file, Use use) {
    count(file, use);
  }

  private boolean count(int file, Use use) {
    Tally tally = use == Use.SCANNED ? byJob : byUsers;
    boolean hit = hot.get(file);
    if (hit) {
      tally.hit(trace.size(file));
    } else {
      tally.miss(trace.size(file));
    }
    return hit;
  }

  private void heat(int file) {
    hot.set(file);
    hotBytes += trace.size(file);
    ranking.add(file);
  }

  private void fit() {
    long room = allBytes / 100 * percent + allBytes % 100 * percent / 100;
    while (hotBytes > room) {
      int coldest = ranking.removeColdest();
      hot.clear(coldest);
      hotBytes -= trace.size(coldest);
      raiding.accept(coldest);
    }
  }

  Tally byUsers() {
    return byUsers;
  }

  Tally byAll() {
    return byUsers.plus(byJob);
  }
}
