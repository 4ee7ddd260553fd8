// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.detect.CorruptFileList;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks the stripes that have lost blocks of the files which the NameNode lists, as far as the
 * list has news. The list names paths, which can be stale. What it does not lead to is found by the
 * next {@link IntegrityJob}.
 */
public final class ReportedLossJob {
  private static final int BATCH = 1_000;

  private final CorruptFileList reports;
  private final StripeChecks stripes;
  private final QuarantineJob quarantine;
  private final Workers workers;
  private final Clock clock;
  private final ReportedLosses reported = new ReportedLosses();

  /**
   * Creates the job.
   *
   * @param workers threads of this job alone: those of the check of all parity may be busy for
   *     hours
   */
  public ReportedLossJob(
      CorruptFileList reports,
      StripeChecks stripes,
      QuarantineJob quarantine,
      Catalog catalog,
      Workers workers,
      Clock clock) {
    this.reports = reports;
    this.stripes = stripes;
    this.quarantine = quarantine;
    this.workers = workers;
    this.clock = clock;
    catalog.repairs().whenMended(reported::mended);
  }

  /**
   * Checks the listed files. The job checks only a part of a long list before it reads the list
   * again, because what is lost meanwhile may be worse.
   *
   * @return how many files were checked
   */
  public int run() throws IOException {
    int checked = 0;
    while (true) {
      reported.beginReading();
      List<String> news = reported.news(reports.files(), clock.instant());
      List<String> first = news.subList(0, Math.min(news.size(), BATCH));
      news.subList(first.size(), news.size()).forEach(reported::forget);
      List<Workers.Task> tasks = new ArrayList<>();
      first.forEach(path -> tasks.add(() -> check(path)));
      // A path whose check failed stays news. If all fail, reading on would not help.
      int failed = workers.inOrder(tasks);
      checked += first.size();
      if (first.size() == news.size() || failed == first.size()) {
        return checked;
      }
    }
  }

  private void check(String path) throws IOException {
    boolean done = false;
    try {
      Optional<Long> id = stripes.parityAt(path);
      if (id.isPresent()) {
        reported.belongs(path, id.get());
        if (!stripes.hasParity(id.get())) {
          quarantine.reviveNeeded(id.get());
        }
        stripes.checkLost(id.get());
      }
      done = true;
    } finally {
      if (!done) {
        reported.forget(path);
      }
    }
  }
}
