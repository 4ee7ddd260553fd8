// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.scrub;

import io.hdfsraid.raidapi.scrub.ScrubProgress;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.scrub.FirstReads;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import io.hdfsraid.raidnode.scrub.ScrubPass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the progress of the scrubs from the catalog. */
public final class ScrubSummary {
  private static final ScrubPass NOTHING_YET = ScrubPass.ended(Instant.EPOCH);

  private final Catalog catalog;
  private final FirstReads firstReads;

  /** Creates a summary of a catalog. */
  public ScrubSummary(Catalog catalog, FirstReads firstReads) {
    this.catalog = catalog;
    this.firstReads = firstReads;
  }

  /** Returns the progress of each depth that has any. */
  public List<ScrubProgress> all(Instant now) {
    List<ScrubProgress> views = new ArrayList<>();
    for (ScrubDepth depth : ScrubDepth.values()) {
      Optional<ScrubPass> pass = ScrubJob.pass(depth, catalog.notes());
      Optional<Instant> oldest = catalog.scrubs().oldest(depth);
      if (pass.isPresent() || oldest.isPresent()) {
        views.add(view(depth, pass, oldest, now));
      }
    }
    return views;
  }

  private ScrubProgress view(
      ScrubDepth depth, Optional<ScrubPass> known, Optional<Instant> oldest, Instant now) {
    ScrubPass pass = known.orElse(NOTHING_YET);
    return new ScrubProgress(
        depth.tag(),
        known.map(ScrubPass::began),
        known.flatMap(ScrubPass::ended),
        pass.files(),
        pass.allFiles(),
        pass.stripes(),
        pass.bytes(),
        pass.allBytes(),
        pass.stripesPerSecond(),
        pass.bytesPerSecond(),
        pass.estimatedEnd(now),
        pass.bad(),
        pass.gaps(),
        pass.failed(),
        oldest,
        catalog.scrubs().neverScrubbedSince(depth));
  }

  /** Returns a problem if replicas were not read in time. */
  public List<Problem> problems(Instant now) {
    boolean holdsBack = firstReads.behindSince(now).isPresent();
    return firstReads.lateSince(now).stream()
        .map(
            since ->
                new Problem(
                    "SCRUB_BEHIND",
                    "Stripes raided at %s have not been read since, so flipped bits in them are not known%s"
                        .formatted(
                            since,
                            holdsBack ? ". Policies raid nothing more until they have been" : ""),
                    "Raise scrub.bytesPerSecond ('raidshell settings'), or scrub.firstRead in"
                        + " raidnode.yml."))
        .toList();
  }
}
