// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.policies;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidapi.policies.FileExplanation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The use of a file as HDFS shows it now, completed by the index, which also knows accesses that
 * HDFS does not record.
 *
 * @param fresh the facts that HDFS shows
 * @param all the same facts, completed by the index
 */
record FileUse(FileFacts fresh, FileFacts all) {
  private static final Duration WINDOW = Duration.ofDays(30);

  /**
   * Prefers the facts of HDFS, because they are newer, except for accesses that only the index
   * knows.
   *
   * @param evidence whether an access time of HDFS tells of an access that counts
   */
  static FileUse of(FileFacts shown, Optional<FileFacts> indexed, Predicate<Instant> evidence) {
    FileFacts fresh = shown.accessed().filter(evidence).isPresent() ? shown : shown.withoutAccess();
    if (indexed.isEmpty()) {
      return new FileUse(fresh, fresh);
    }
    FileFacts all = fresh.with(indexed.get().further());
    Optional<Instant> later =
        indexed
            .get()
            .accessed()
            .filter(access -> fresh.accessed().filter(seen -> !seen.isBefore(access)).isEmpty());
    return new FileUse(fresh, later.map(all::withAccess).orElse(all));
  }

  FileExplanation.Use view(Instant now) {
    FileFacts.Further further = all.further();
    return new FileExplanation.Use(
        Optional.of(all.lastUsed()),
        saidBy(),
        further.accessRate().map(rate -> rate.within(WINDOW, now)),
        further.belowSnapshots(),
        all.snapshotReplication().stream().boxed().findFirst(),
        further.storagePolicy().map(Enum::name));
  }

  /**
   * Names the source of the last access. The index does not store it, but HDFS shows its own access
   * time.
   */
  private String saidBy() {
    if (all.lastUsed().equals(fresh.modified())) {
      return "its last change";
    }
    return all.lastUsed().equals(fresh.lastUsed())
        ? "its access time in HDFS"
        : "the record of accesses; HDFS shows no access time as late";
  }
}
