// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidnode.audit.AuditArchive;
import io.hdfsraid.raidnode.audit.AuditEntry;
import io.hdfsraid.raidnode.schedule.Failures;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Records a change that may take hours in the audit on HDFS: once a minute what was done since, and
 * at the end how it ended, also if it failed. What a killed process has done since the last minute
 * is missing.
 *
 * @param archive empty if nothing is to be recorded
 * @param line begins a line about the change
 */
record AuditedRun(Optional<AuditArchive> archive, Supplier<AuditEntry> line) {
  static final AuditedRun UNRECORDED =
      new AuditedRun(
          Optional.empty(),
          () -> {
            throw new IllegalStateException("nothing is recorded");
          });

  /** A change that says what it has done. */
  @FunctionalInterface
  interface Change {
    ChangePreview make() throws IOException;
  }

  ChangePreview of(Change change) throws IOException {
    return archive.isPresent() ? recorded(archive.get(), change) : change.make();
  }

  private ChangePreview recorded(AuditArchive written, Change change) throws IOException {
    ScheduledExecutorService minutes =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "audit");
              thread.setDaemon(true);
              return thread;
            });
    try {
      var unused = minutes.scheduleWithFixedDelay(written::write, 1, 1, TimeUnit.MINUTES);
      ChangePreview result = change.make();
      end(written, result.outcome().name(), result.note());
      return result;
    } catch (IOException | RuntimeException | Error e) {
      end(written, "FAILED", Failures.words(e));
      throw e;
    } finally {
      minutes.shutdownNow();
    }
  }

  private void end(AuditArchive written, String outcome, String detail) {
    written.add(
        AuditArchive.Series.ACTIONS, line.get().with("outcome", outcome).with("detail", detail));
    written.write();
  }
}
