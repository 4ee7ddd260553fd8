package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.Problem;
import io.hdfsraid.raidapi.ScrubView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.rounds.ScrubPass;
import io.hdfsraid.raidnode.rounds.ScrubRound;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The scrubs of all stripes, as the catalog has them written down. */
public final class ScrubViews {
  private static final ScrubPass NOTHING_YET = ScrubPass.ended(Instant.EPOCH);

  private final Catalog catalog;
  private final ScrubRound.Settings settings;

  /** Views of a catalog. */
  public ScrubViews(Catalog catalog, ScrubRound.Settings settings) {
    this.catalog = catalog;
    this.settings = settings;
  }

  /** Of each depth at which there is anything to tell. */
  List<ScrubView> all(Instant now) {
    List<ScrubView> views = new ArrayList<>();
    for (ScrubDepth depth : ScrubDepth.values()) {
      Optional<ScrubPass> pass = ScrubRound.pass(depth, catalog.notes());
      Optional<Instant> oldest = catalog.scrubs().oldest(depth);
      if (pass.isPresent() || oldest.isPresent()) {
        views.add(view(depth, pass, oldest, now));
      }
    }
    return views;
  }

  private ScrubView view(
      ScrubDepth depth, Optional<ScrubPass> known, Optional<Instant> oldest, Instant now) {
    ScrubPass pass = known.orElse(NOTHING_YET);
    return new ScrubView(
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

  /** What is read too late. */
  List<Problem> problems(Instant now) {
    List<Problem> problems = new ArrayList<>();
    if (settings.deepEvery().isZero()) {
      return problems; // nothing is read without being asked to, as it was wished
    }
    catalog
        .scrubs()
        .neverScrubbedSince(ScrubDepth.DEEP)
        .filter(since -> since.plus(settings.firstRead()).isBefore(now))
        .ifPresent(
            since ->
                problems.add(
                    new Problem(
                        "SCRUB_BEHIND",
                        "Stripes raided at %s have not been read since: rot in them is not known"
                            .formatted(since),
                        "Raise scrub.bytesPerSecond ('raidshell settings'), or scrub.firstRead in raidnode.yml.")));
    return problems;
  }
}
