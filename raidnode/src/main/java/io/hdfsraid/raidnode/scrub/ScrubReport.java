// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The result of scrubbing some stripes of one parity file. Used by one thread. */
final class ScrubReport {
  private static final int MOST_NAMED = 5;

  private final ScrubDepth depth;
  private final List<UnitFinding> bad = new ArrayList<>();
  private long badReplicas;
  private long stripes;
  private long bytes;
  private long gaps;
  private long reported;

  ScrubReport(ScrubDepth depth) {
    this.depth = depth;
  }

  /** Adds one stripe. */
  void add(StripeScrub.Seen seen) {
    List<UnitFinding> found = seen.bad();
    found.stream().limit(MOST_NAMED - (long) bad.size()).forEach(bad::add);
    badReplicas += found.size();
    stripes++;
    bytes += seen.bytes();
    gaps += seen.gaps() ? 1 : 0;
    reported += seen.reported();
  }

  long stripes() {
    return stripes;
  }

  /** Returns the number of bytes that were read. */
  long bytes() {
    return bytes;
  }

  /** Returns the number of replicas that were found bad. */
  long badReplicas() {
    return badReplicas;
  }

  /** Returns whether some node did not answer. */
  boolean hasGaps() {
    return gaps > 0;
  }

  /** Returns whether everything was seen, and nothing of it is bad. */
  boolean isClean() {
    return badReplicas == 0 && gaps == 0;
  }

  /** Returns the report as one line of the history. */
  String sentence() {
    String seen =
        depth == ScrubDepth.DEEP
            ? "Read %d stripes, %d bytes: ".formatted(stripes, bytes)
            : "Asked for %d stripes: ".formatted(stripes);
    String unknown = gaps == 0 ? "" : "; of %d stripes some node did not answer".formatted(gaps);
    String told = reported == 0 ? "" : "; the NameNode was told of %d".formatted(reported);
    return badReplicas == 0
        ? seen + "all that could be seen is as recorded" + unknown
        : seen
            + "%d bad: ".formatted(badReplicas)
            + bad.stream().map(UnitFinding::message).collect(Collectors.joining("; "))
            + (badReplicas > bad.size() ? "; and more" : "")
            + told
            + unknown;
  }
}
