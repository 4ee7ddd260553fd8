package io.hdfsraid.raidnode.view;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidapi.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a file is used: by HDFS, asked just now, and by the index, which also knows what HDFS does
 * not show.
 *
 * @param fresh as HDFS shows it
 * @param all with what the index knows besides
 */
record FileUse(FileFacts fresh, FileFacts all) {
  private static final Duration WINDOW = Duration.ofDays(30);

  /** What HDFS tells is newer; but an access that it does not record is known to the index only. */
  static FileUse of(FileFacts fresh, Optional<FileFacts> indexed) {
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

  Explanation.Use view(Instant now) {
    FileFacts.Further further = all.further();
    return new Explanation.Use(
        Optional.of(all.lastUsed()),
        saidBy(),
        further.accessRate().map(rate -> rate.within(WINDOW, now)),
        further.belowSnapshots(),
        all.snapshotReplication().stream().boxed().findFirst(),
        further.storagePolicy().map(Enum::name));
  }

  /** Sources are not kept with accesses; but of HDFS's own access times HDFS shows the last. */
  private String saidBy() {
    if (all.lastUsed().equals(fresh.modified())) {
      return "its last change";
    }
    return all.lastUsed().equals(fresh.lastUsed())
        ? "its access time in HDFS"
        : "the record of accesses; HDFS shows no access time as late";
  }
}
