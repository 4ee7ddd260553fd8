// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.policies.Verdict.ToRaid;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.raiding.core.FileMarks;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.index.IndexedFacts;
import io.hdfsraid.recency.index.IndexedFile;
import io.hdfsraid.recency.listing.FileListing;
import java.io.IOException;
import java.util.Optional;

/**
 * Judges a file again right before it is raided. A run can take days, in which files are read and
 * policies change.
 */
public final class PreRaidCheck {
  private final FileListing listing;
  private final Catalog catalog;
  private final PoliciesInForce policies;
  private final Recency recency;
  private final Journal journal;
  private final FileMarks marks;

  /**
   * @param marks knows which files operators have unraided, also if the catalog is new
   */
  public PreRaidCheck(
      FileListing listing,
      Catalog catalog,
      PoliciesInForce policies,
      Recency recency,
      Journal journal,
      FileMarks marks) {
    this.listing = listing;
    this.catalog = catalog;
    this.policies = policies;
    this.recency = recency;
    this.journal = journal;
    this.marks = marks;
  }

  /** A file that is still to be raided, as it is now, and how. */
  record Wanted(FileFacts file, ToRaid verdict) {
    Policy policy() {
      return verdict.policy();
    }
  }

  /**
   * Judges a file as it is now. Only this check asks what snapshots keep of the file, because that
   * takes too many calls for all files.
   *
   * @return empty if the state of the file is unclear, or if the policy with this name no longer
   *     selects it
   */
  Optional<Wanted> at(long inode, String policy) throws IOException {
    Optional<FileFacts> now =
        catalog
            .namespace()
            .file(inode)
            .filter(file -> !isUnclear(file))
            .map(file -> catalog.reheats().complete(IndexedFacts.of(file)))
            .map(
                listed ->
                    catalog
                        .files()
                        .find(inode)
                        .map(record -> record.complete(listed))
                        .orElse(listed));
    if (now.isPresent() && recency.isListed()) {
      now = asOfNow(now.get());
    }
    if (now.isEmpty() || !(judge(now.get()) instanceof ToRaid wanted) || !isOf(policy, wanted)) {
      return Optional.empty();
    }
    FileFacts facts = listing.withSnapshots(now.get());
    Verdict verdict = judge(facts);
    if (facts.snapshotReplication().isPresent() && verdict.whyNot().isPresent()) {
      journal.left(facts, verdict);
    }
    if (!(verdict instanceof ToRaid still) || !isOf(policy, still)) {
      return Optional.empty();
    }
    if (marks.isMarked(inode)) {
      FileFacts marked = facts.with(Trait.UNRAIDED_BY_OPERATOR);
      journal.left(marked, judge(marked));
      return Optional.empty();
    }
    return Optional.of(new Wanted(facts, still));
  }

  /** A listing may be a day old. A file that was written since waits for the next listing. */
  private Optional<FileFacts> asOfNow(FileFacts listed) throws IOException {
    return listing
        .again(listed)
        .filter(
            fresh ->
                fresh.modified().equals(listed.modified()) && fresh.length() == listed.length())
        .map(
            fresh ->
                fresh
                    .accessed()
                    .filter(access -> access.isAfter(listed.lastUsed()))
                    .filter(recency::isEvidence)
                    .map(listed::withAccess)
                    .orElse(listed));
  }

  private Verdict judge(FileFacts facts) {
    return policies.judge().verdict(facts, recency.tracking());
  }

  private static boolean isOf(String policy, ToRaid verdict) {
    return verdict.policy().name().equals(policy);
  }

  /** Returns whether HDFS has to be asked about a file before the file can be raided. */
  static boolean isUnclear(IndexedFile file) {
    return file.provisional() || file.stale();
  }
}
