// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Replays a trace to one candidate on several clusters, each with room for another share of hot
 * files. On the first days nothing is raided, but the candidate learns. On the day after them the
 * coldest files are raided until the rest fits, and from then on reads are counted.
 */
final class Replay {
  private final Trace trace;
  private final RankingCandidate candidate;
  private final List<HotFiles> clusters = new ArrayList<>();

  Replay(Trace trace, RankingCandidate candidate) {
    this.trace = trace;
    this.candidate = candidate;
  }

  /** Adds a cluster; {@code raiding} receives each file that it raids. */
  HotFiles with(int percent, IntConsumer raiding) {
    HotFiles cluster = new HotFiles(trace, percent, candidate.ranking().get(), raiding);
    clusters.add(cluster);
    return cluster;
  }

  /**
   * @param progress receives the number of uses of each day that was played
   */
  void run(IntConsumer progress) {
    Workload workload = trace.workload();
    Temperature temperature = candidate.temperature();
    for (int file = 0; file < workload.files(); file++) {
      temperature.used(file, trace.written(file), Temperature.BEFORE);
    }
    int position = 0;
    for (int number = 0; number < workload.allDays(); number++) {
      Day day = trace.days().get(number);
      if (number == workload.watched()) {
        int files = workload.filesAt(number, 0);
        clusters.forEach(cluster -> cluster.begin(files));
      }
      if (number < workload.watched()) {
        watch(day, position);
      } else {
        play(day, position);
      }
      position += day.size();
      progress.accept(day.size());
    }
  }

  private void watch(Day day, int position) {
    for (int i = 0; i < day.size(); i++) {
      if (candidate.told().contains(day.use(i))) {
        candidate.temperature().used(day.file(i), day.at(i), position + i);
      }
    }
  }

  private void play(Day day, int position) {
    for (int i = 0; i < day.size(); i++) {
      int file = day.file(i);
      Use use = day.use(i);
      boolean told = candidate.told().contains(use);
      if (told) {
        candidate.temperature().used(file, day.at(i), position + i);
      }
      for (HotFiles cluster : clusters) {
        if (use == Use.WRITTEN) {
          cluster.written(file);
        } else if (told) {
          cluster.read(file, use);
        } else {
          cluster.ignored(file, use);
        }
      }
    }
  }
}
