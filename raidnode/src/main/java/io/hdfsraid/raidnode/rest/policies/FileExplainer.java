// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.policies;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Saving;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.files.FileSummaries;
import io.hdfsraid.raidnode.rest.status.AccessSources;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.index.IndexedFacts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;

/** Explains the verdict of the policies on a file as HDFS shows the file now. */
public final class FileExplainer {
  private final Hdfs hdfs;
  private final Catalog catalog;
  private final PoliciesInForce judges;
  private final Recency recency;
  private final PolicyOutlook outlook;
  private final FileSummaries views;
  private final Clock clock;

  /** Looks up the file that is to be explained. */
  @FunctionalInterface
  public interface Hdfs {
    /** Returns the facts of a file, snapshots included; the path must name a file. */
    FileFacts file(String path) throws IOException;
  }

  public FileExplainer(
      Hdfs hdfs,
      Catalog catalog,
      PoliciesInForce judges,
      Recency recency,
      PolicyOutlook outlook,
      FileSummaries views,
      Clock clock) {
    this.hdfs = hdfs;
    this.catalog = catalog;
    this.judges = judges;
    this.recency = recency;
    this.outlook = outlook;
    this.views = views;
    this.clock = clock;
  }

  /**
   * Explains why the file at a path is treated as it is.
   *
   * @throws ApiFailure if there is no such file
   */
  public FileExplanation explain(String path) throws IOException {
    FileFacts fresh = list(path);
    FileUse use =
        FileUse.of(
            fresh,
            catalog
                .namespace()
                .file(fresh.inodeId())
                // A file that only the edit log has reported has no inode id yet.
                .or(() -> catalog.namespace().at(path))
                .map(IndexedFacts::of),
            recency::isEvidence);
    FileFacts listed = catalog.reheats().complete(use.all());
    Optional<FileRecord> known = catalog.files().find(listed.inodeId());
    FileFacts facts = known.map(record -> record.complete(listed)).orElse(listed);
    io.hdfsraid.policies.Explanation explanation =
        judges.judge().explain(facts, recency.tracking());
    Verdict verdict = explanation.verdict();
    FileRecord file =
        known
            .map(record -> record.with(facts, clock.instant()))
            .orElseGet(
                () ->
                    new FileRecord(
                        facts,
                        FileProgress.by(verdict, clock.instant()),
                        Optional.empty(),
                        clock.instant()));
    return new FileExplanation(
        views.of(file),
        verdict.whyNot().isEmpty(),
        verdict.whyNot().map(Reason::name),
        verdict.sentence(),
        verdict.changesAt(),
        explanation.asked().stream().map(FileExplainer::view).toList(),
        facts.physicalBytes(),
        verdict.worth().map(Saving::after),
        use.view(clock.instant()),
        file.state() == FileState.CANDIDATE
            ? verdict.decidedBy().map(outlook::acting)
            : Optional.empty(),
        file.state() == FileState.RAIDED ? outlook.reheating(file, facts) : Optional.empty(),
        AccessSources.of(recency.sources()));
  }

  private static FileExplanation.Asked view(io.hdfsraid.policies.Explanation.Asked asked) {
    return new FileExplanation.Asked(
        asked.policy(),
        asked.applies(),
        asked.why(),
        asked.conditions().stream()
            .map(
                condition ->
                    new FileExplanation.Answered(
                        condition.key(),
                        condition.wanted(),
                        condition.answer().name(),
                        condition.detail(),
                        condition.changesAt()))
            .toList());
  }

  private FileFacts list(String path) throws IOException {
    try {
      return hdfs.file(path);
    } catch (FileNotFoundException e) {
      throw ApiFailure.notFound(
          "There is no file at " + path, "Check the path; only files can be explained.");
    }
  }
}
