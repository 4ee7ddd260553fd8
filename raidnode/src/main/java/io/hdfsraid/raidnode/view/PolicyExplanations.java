package io.hdfsraid.raidnode.view;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.ReheatRule;
import io.hdfsraid.policies.Saving;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.policies.window.Openness;
import io.hdfsraid.raidapi.Explanation;
import io.hdfsraid.raidapi.PoliciesView;
import io.hdfsraid.raidapi.RaidingOutlook;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Standing;
import io.hdfsraid.raidnode.recency.IndexedFacts;
import io.hdfsraid.raidnode.recency.Recency;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.PolicyAnswers;
import io.hdfsraid.raidnode.rounds.CapacityGates;
import io.hdfsraid.raidnode.rounds.PoliciesInForce;
import io.hdfsraid.raidnode.rounds.RaidedUse;
import io.hdfsraid.raidnode.rounds.WorkingHours;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** The policies, and what they say about a file as HDFS shows it now. */
public final class PolicyExplanations implements PolicyAnswers {
  private final PolicyList policies;
  private final Hdfs hdfs;
  private final Catalog catalog;
  private final PoliciesInForce judges;
  private final Recency recency;
  private final WorkingHours hours;
  private final CapacityGates gates;
  private final RaidedUse raidedUse;
  private final FileViews views;
  private final Clock clock;

  /** Where a file is listed that is explained. */
  @FunctionalInterface
  public interface Hdfs {
    /** One file, with what snapshots keep of it; the path must be one. */
    FileFacts file(String path) throws IOException;
  }

  public PolicyExplanations(
      PolicyList policies,
      Hdfs hdfs,
      Catalog catalog,
      PoliciesInForce judges,
      Recency recency,
      WorkingHours hours,
      CapacityGates gates,
      FileViews views,
      Clock clock) {
    this.policies = policies;
    this.hdfs = hdfs;
    this.catalog = catalog;
    this.judges = judges;
    this.recency = recency;
    this.hours = hours;
    this.gates = gates;
    this.raidedUse = new RaidedUse(catalog.earlierUse(), clock);
    this.views = views;
    this.clock = clock;
  }

  @Override
  public PoliciesView policies() {
    return policies.view();
  }

  @Override
  public Explanation explain(String path) throws IOException {
    FileFacts fresh = list(path);
    FileUse use =
        FileUse.of(
            fresh,
            catalog
                .namespace()
                .file(fresh.inodeId())
                // What only the edit log has told of has no number yet.
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
                        Standing.by(verdict, clock.instant()),
                        Optional.empty(),
                        clock.instant()));
    return new Explanation(
        views.of(file),
        verdict.whyNot().isEmpty(),
        verdict.whyNot().map(Reason::name),
        verdict.sentence(),
        verdict.changesAt(),
        explanation.asked().stream().map(PolicyExplanations::view).toList(),
        facts.physicalBytes(),
        verdict.worth().map(Saving::after),
        use.view(clock.instant()),
        file.status() == FileStatus.CANDIDATE
            ? verdict.decidedBy().map(this::acting)
            : Optional.empty(),
        file.status() == FileStatus.RAIDED ? reheating(file, facts) : Optional.empty(),
        recency.sources());
  }

  private Explanation.Acting acting(Policy policy) {
    Openness now = hours.of(judges.policies(), policy);
    return new Explanation.Acting(
        policy.name(),
        new RaidingOutlook.Hours(now.open(), now.intensity(), now.until(), now.why()),
        policies.nextRun(policy),
        policy.runs().capacity().map(rule -> gates.now(policy, rule).why()));
  }

  private Optional<Explanation.Reheating> reheating(FileRecord file, FileFacts facts) {
    Instant now = clock.instant();
    return judges.policies().inOrder().stream()
        .filter(policy -> policy.name().equals(file.standing().by()))
        .flatMap(policy -> policy.reheat().stream())
        .findFirst()
        .map(
            rule -> {
              ReheatRule.Residence residence = raidedUse.of(file, facts, rule);
              return new Explanation.Reheating(
                  file.standing().by(),
                  rule.counted(residence, now),
                  rule.accesses(),
                  rule.within(),
                  rule.residentUntil(residence),
                  rule.coolUntil(residence, now));
            });
  }

  private static Explanation.Asked view(io.hdfsraid.policies.Explanation.Asked asked) {
    return new Explanation.Asked(
        asked.policy(),
        asked.applies(),
        asked.why(),
        asked.conditions().stream()
            .map(
                condition ->
                    new Explanation.Answered(
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
