// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * The record of a file.
 *
 * @param facts the facts when the file was last seen, with its path at that time
 * @param parity present from the commit of the parity until its retirement
 * @param seen when HDFS last showed the file
 */
public record FileRecord(
    FileFacts facts, FileProgress progress, Optional<Parity> parity, Instant seen) {
  public FileRecord {
    Objects.requireNonNull(facts, "facts");
    Objects.requireNonNull(progress, "progress");
    Objects.requireNonNull(parity, "parity");
    seen = seen.truncatedTo(ChronoUnit.MILLIS);
  }

  public long inode() {
    return facts.inodeId();
  }

  public FileState state() {
    return progress.state();
  }

  /**
   * Returns whether we, and no user, have raised the replication of the file, because its parity
   * was gone or could not be read.
   */
  public boolean wasRaisedWithoutParity() {
    return state() == FileState.LEFT
        && progress.reason().filter(Reason.PARITY_GONE::equals).isPresent();
  }

  public FileRecord with(FileProgress changed) {
    return new FileRecord(facts, changed, parity, seen);
  }

  public FileRecord with(FileFacts changed, Instant seen) {
    return new FileRecord(changed, progress, parity, seen);
  }

  /** Returns the facts that HDFS lists now, completed with those that only this record knows. */
  public FileFacts complete(FileFacts listed) {
    FileFacts complete =
        parity.map(known -> listed.withParity(known.targetReplication())).orElse(listed);
    return facts.is(Trait.UNRAIDED_BY_OPERATOR)
        ? complete.with(Trait.UNRAIDED_BY_OPERATOR)
        : complete;
  }

  /** Returns the record after an operator has unraided the file: no policy raids it again. */
  public FileRecord unraidedByOperator() {
    return with(facts.with(Trait.UNRAIDED_BY_OPERATOR), seen);
  }

  /** Returns the record after an operator has raided the file: policies may raid it again, too. */
  public FileRecord raidedByOperator() {
    return with(facts.without(Trait.UNRAIDED_BY_OPERATOR), seen);
  }

  public FileRecord with(Optional<Parity> changed) {
    return new FileRecord(facts, progress, changed, seen);
  }

  /** Returns the record of a file that is about to be raided for the first time. */
  public static FileRecord candidate(FileFacts facts, String by, Instant now) {
    return new FileRecord(
        facts, FileProgress.of(FileState.CANDIDATE, by, now), Optional.empty(), now);
  }
}
