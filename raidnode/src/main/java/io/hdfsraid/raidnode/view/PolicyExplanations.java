package io.hdfsraid.raidnode.view;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Saving;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidapi.Explanation;
import io.hdfsraid.raidapi.PoliciesView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.catalog.Standing;
import io.hdfsraid.raidnode.hdfs.NamespaceListing;
import io.hdfsraid.raidnode.recency.IndexedFacts;
import io.hdfsraid.raidnode.recency.Recency;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.PolicyAnswers;
import io.hdfsraid.raidnode.rounds.PoliciesInForce;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** The policies, and what they say about a file as HDFS shows it now. */
public final class PolicyExplanations implements PolicyAnswers {
  private static final Duration ACCESS_WINDOW = Duration.ofDays(30);

  private final PolicyList policies;
  private final NamespaceListing listing;
  private final Catalog catalog;
  private final PoliciesInForce judges;
  private final Recency recency;
  private final FileViews views;
  private final Clock clock;

  public PolicyExplanations(
      PolicyList policies,
      NamespaceListing listing,
      Catalog catalog,
      PoliciesInForce judges,
      Recency recency,
      FileViews views,
      Clock clock) {
    this.policies = policies;
    this.listing = listing;
    this.catalog = catalog;
    this.judges = judges;
    this.recency = recency;
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
    Optional<FileFacts> indexed = catalog.namespace().file(fresh.inodeId()).map(IndexedFacts::of);
    FileFacts listed = indexed.map(index -> complete(fresh, index)).orElse(fresh);
    Optional<FileRecord> known = catalog.files().find(listed.inodeId());
    FileFacts facts = known.map(record -> record.complete(listed)).orElse(listed);
    FileRecord file =
        known
            .map(record -> record.with(facts, clock.instant()))
            .orElseGet(
                () ->
                    new FileRecord(
                        facts,
                        Standing.of(FileStatus.LEFT, "", clock.instant()),
                        Optional.empty(),
                        clock.instant()));
    io.hdfsraid.policies.Explanation explanation =
        judges.judge().explain(facts, recency.tracking());
    Verdict verdict = explanation.verdict();
    return new Explanation(
        views.of(file),
        verdict.whyNot().isEmpty(),
        verdict.whyNot().map(Reason::name),
        verdict.sentence(),
        verdict.changesAt(),
        explanation.asked().stream().map(PolicyExplanations::view).toList(),
        facts.physicalBytes(),
        verdict.worth().map(Saving::after),
        use(facts, fresh),
        recency.sources());
  }

  /** What HDFS tells of one file is newer; what only the index knows is added. */
  private static FileFacts complete(FileFacts fresh, FileFacts index) {
    FileFacts all = fresh.with(index.further());
    return index
        .accessed()
        .filter(access -> fresh.accessed().filter(seen -> !seen.isBefore(access)).isEmpty())
        .map(all::withAccess)
        .orElse(all);
  }

  private Explanation.Use use(FileFacts facts, FileFacts fresh) {
    FileFacts.Further further = facts.further();
    return new Explanation.Use(
        Optional.of(facts.lastUsed()),
        saidBy(facts, fresh),
        further.accessRate().map(rate -> rate.within(ACCESS_WINDOW, clock.instant())),
        further.belowSnapshots(),
        facts.snapshotReplication().isPresent()
            ? Optional.of(facts.snapshotReplication().getAsInt())
            : Optional.empty(),
        further.storagePolicy().map(Enum::name));
  }

  /** Sources are not kept with each access; but only HDFS's own access times show in HDFS. */
  private static String saidBy(FileFacts facts, FileFacts fresh) {
    if (facts.lastUsed().equals(fresh.modified())) {
      return "its last change";
    }
    return facts.lastUsed().equals(fresh.lastUsed())
        ? "its access time in HDFS"
        : "the record of accesses: HDFS shows no access time as late";
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
      return listing.file(path);
    } catch (FileNotFoundException e) {
      throw ApiFailure.notFound(
          "There is no file at " + path, "Check the path; only files can be explained.");
    }
  }
}
