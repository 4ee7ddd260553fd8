// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.audit;

import io.hdfsraid.raidnode.catalog.HistoryRecord;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what changes the cluster and what is refused: with the logger {@code audit}, so that the
 * lines can have an appender of their own, and in an {@link AuditArchive}. Neither waits for HDFS.
 */
public final class AuditRecorder {
  private static final Logger LOG = LoggerFactory.getLogger("audit");

  private final Optional<AuditArchive> archive;
  private final Predicate<String> isPolicy;

  /** Creates a recorder that only logs, for a daemon that has no HDFS yet. */
  public AuditRecorder() {
    this(Optional.empty(), name -> false);
  }

  /**
   * Creates a recorder.
   *
   * @param isPolicy whether a name is that of a policy in force
   */
  public AuditRecorder(Optional<AuditArchive> archive, Predicate<String> isPolicy) {
    this.archive = archive;
    this.isPolicy = isPolicy;
  }

  /** Records a request that changes something or was refused. */
  public void requested(AuditEntry entry) {
    entry.logTo(LOG);
    archive.ifPresent(kept -> kept.add(AuditArchive.Series.REQUESTS, entry));
  }

  /** Records a request that was refused because nobody knows who sent it. */
  public void rejected(AuditEntry entry) {
    entry.logTo(LOG);
    archive.ifPresent(kept -> kept.add(AuditArchive.Series.STRANGERS, entry));
  }

  /** Records what was done, as the history does. */
  public void acted(HistoryRecord done) {
    AuditEntry entry = AuditedAction.entry(done, isPolicy);
    entry.logTo(LOG);
    archive.ifPresent(kept -> kept.add(AuditArchive.Series.ACTIONS, entry));
  }
}
