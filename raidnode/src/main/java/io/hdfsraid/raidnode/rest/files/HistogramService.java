// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.files;

import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.recency.index.FileVisitor;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counts the files of the index by age, size and replication. Parity files do not count. */
public class HistogramService {
  private final Catalog catalog;
  private final String parity;
  private final Clock clock;

  /**
   * Creates a service.
   *
   * @param root the directory of the parity
   */
  public HistogramService(Catalog catalog, String root, Clock clock) {
    this.catalog = catalog;
    this.parity = root + "/";
    this.clock = clock;
  }

  /**
   * Returns the histogram of the file at a path, or of all files below it.
   *
   * @throws ApiFailure if the first scan has not ended
   */
  public FileHistogram histogram(String below) {
    if (catalog.notes().instant(Notes.LAST_SCAN).isEmpty()) {
      throw new ApiFailure(
          ErrorCode.NOT_READY,
          "The files are not known yet",
          "The first scan finds them; 'raidshell status' shows when it has ended.");
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
            "%s does not exist or has no files".formatted(below),
            "Check the path; new files are known after some seconds.");
      }
    }
    return count.histogram(below);
  }
}
