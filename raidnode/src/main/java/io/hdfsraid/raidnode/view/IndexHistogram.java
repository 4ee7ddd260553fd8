package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.FileHistogram;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.namespace.FileVisitor;
import io.hdfsraid.raidnode.recency.HistogramCount;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.HistogramView;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counts the files of the index, by what any source has told of them. Parity is not counted. */
public final class IndexHistogram implements HistogramView {
  private final Catalog catalog;
  private final String parity;
  private final Clock clock;

  /**
   * A view.
   *
   * @param root the directory of the parity
   */
  public IndexHistogram(Catalog catalog, String root, Clock clock) {
    this.catalog = catalog;
    this.parity = root + "/";
    this.clock = clock;
  }

  @Override
  public FileHistogram histogram(String below) {
    if (catalog.notes().instant(Notes.LAST_SCAN).isEmpty()) {
      throw new ApiFailure(
          ErrorCode.NOT_READY,
          "It is not known yet what files there are",
          "The first scan finds out; 'raidshell status' shows when it has ended.");
    }
    HistogramCount count = new HistogramCount(clock.instant());
    AtomicBoolean any = new AtomicBoolean();
    FileVisitor counting =
        file -> {
          any.setPlain(true);
          if (!file.path().startsWith(parity)) {
            count.add(file.attributes());
          }
          return true;
        };
    if (below.equals("/")) {
      catalog.namespace().forEach(counting);
    } else {
      catalog.namespace().below(below, counting);
      if (!any.getPlain()) {
        throw ApiFailure.notFound(
            "There is no %s, or no file in it".formatted(below),
            "Check the path; a file of the last seconds is known a little later.");
      }
    }
    return count.histogram(below);
  }
}
