// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.audit;

/** Writes the lines of the audit that wait, and completes the history once. */
public final class AuditJob {
  private final AuditArchive archive;
  private final HistoryRestore history;

  public AuditJob(AuditArchive archive, HistoryRestore history) {
    this.archive = archive;
    this.history = history;
  }

  public void run() {
    archive.write();
    history.run();
  }
}
