package io.hdfsraid.raidnode.rest.policies;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.ReheatRule;
import io.hdfsraid.policies.Saving;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.policies.window.WindowState;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidapi.policies.PoliciesReport;
import io.hdfsraid.raidapi.windows.WindowStatus;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.files.FileSummaries;
import io.hdfsraid.raidnode.rest.status.AccessSources;
import io.hdfsraid.raidnode.select.CapacityGates;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.raidnode.select.RaidedUse;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.index.IndexedFacts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** Lists the policies and explains their verdict on a file as HDFS shows it now. */
public class PoliciesService {
  private final PolicyList policies;
  private final Hdfs hdfs;
  private final Catalog catalog;
  private final PoliciesInForce judges;
  private final Recency recency;
  private final WorkingHours hours;
  private final CapacityGates gates;
  private final FileSummaries views;
  private final Clock clock;

  /** Looks up the file that is to be explained. */
  @FunctionalInterface
  public interface Hdfs {
    /** Returns the facts of a file, snapshots included; the path must name a file. */
    FileFacts file(String path) throws IOException;
  }

  public PoliciesService(
      PolicyList policies,
      Hdfs hdfs,
      Catalog catalog,
      PoliciesInForce judges,
      Recency recency,
      WorkingHours hours,
      CapacityGates gates,
      FileSummaries views,
      Clock clock) {
    this.policies = policies;
    this.hdfs = hdfs;
    this.catalog = catalog;
    this.judges = judges;
    this.recency = recency;
    this.hours = hours;
    this.gates = gates;
    this.views = views;
    this.clock = clock;
  }

  public PoliciesReport policies() {
    return policies.view();
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
                .map(IndexedFacts::of));
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
        explanation.asked().stream().map(PoliciesService::view).toList(),
        facts.physicalBytes(),
        verdict.worth().map(Saving::after),
        use.view(clock.instant()),
        file.state() == FileState.CANDIDATE
            ? verdict.decidedBy().map(this::acting)
            : Optional.empty(),
        file.state() == FileState.RAIDED ? reheating(file, facts) : Optional.empty(),
        AccessSources.of(recency.sources()));
  }

  private FileExplanation.Acting acting(Policy policy) {
    WindowState now = hours.of(judges.policies(), policy);
    return new FileExplanation.Acting(
        policy.name(),
        new WindowStatus(now.open(), now.intensity(), now.until(), now.why()),
        policies.nextRun(policy),
        policy.runs().capacity().map(rule -> gates.now(policy, rule).why()));
  }

  private Optional<FileExplanation.Reheating> reheating(FileRecord file, FileFacts facts) {
    Instant now = clock.instant();
    RaidedUse raidedUse = new RaidedUse(catalog.earlierUse(), clock);
    return judges.policies().inOrder().stream()
        .filter(policy -> policy.name().equals(file.standing().by()))
        .flatMap(policy -> policy.reheat().stream())
        .findFirst()
        .map(
            rule -> {
              ReheatRule.Residence residence = raidedUse.of(file, facts, rule);
              return new FileExplanation.Reheating(
                  file.standing().by(),
                  rule.counted(residence, now),
                  rule.accesses(),
                  rule.within(),
                  rule.residentUntil(residence),
                  rule.coolUntil(residence, now));
            });
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
