// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.history.HistoryQuery;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidapi.status.Space;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.DegradedStripe;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.HistoryRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.raiding.core.ExcessReplicas;
import io.hdfsraid.raidnode.rest.files.FileSummaries;
import io.hdfsraid.raidnode.rest.files.FilesService;
import io.hdfsraid.raidnode.rest.files.JudgedFiles;
import io.hdfsraid.raidnode.rest.history.HistoryService;
import io.hdfsraid.raidnode.rest.policies.PolicyList;
import io.hdfsraid.raidnode.rest.repairs.QueuedRepairs;
import io.hdfsraid.raidnode.rest.status.CatalogSummary;
import io.hdfsraid.raidnode.select.CodecEstimate;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.recency.ListedNamespace;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.RecencyOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogServicesTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Policy WAREHOUSE =
      new Policy(
          "warehouse",
          List.of(PathGlob.of("/data/**")),
          List.of(PathGlob.of("/data/tmp")),
          Duration.ofDays(90),
          Duration.ofDays(1),
          5,
          new Protection("rs-6-3", 1, 2),
          Optional.of("0 0 1 * * ?"));

  @TempDir Path folder;

  private final ListedNamespace namespace = new ListedNamespace();
  private Catalog catalog;
  private FilesService files;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, Clock.systemUTC());
    files =
        new FilesService(
            catalog,
            judged(),
            new FileSummaries(
                () -> Policies.of(WAREHOUSE),
                catalog.groups(),
                path -> Optional.of("/clients" + path)),
            file ->
                new FileHealth(
                    file.inode(),
                    file.facts().path(),
                    "rs-6-3",
                    1,
                    HealthState.DEGRADED,
                    2,
                    1,
                    1,
                    0,
                    List.of(),
                    ""));
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private static FileRecord file(long inode, String path, FileProgress progress) {
    return new FileRecord(
        FileFacts.of(path, inode, 100, 60, 3, NOW), progress, Optional.empty(), NOW);
  }

  private JudgedFiles judged() {
    PoliciesInForce policies =
        new PoliciesInForce(
            Policies.of(WAREHOUSE),
            held -> new Judge(held, "/.raid", new CodecEstimate(), Clock.systemUTC()));
    return new JudgedFiles(
        catalog,
        policies,
        new Recency(
            catalog.namespace(),
            catalog.notes(),
            reads -> {},
            namespace,
            RecencyOptions.listing("/.raid", Optional.empty()),
            Clock.systemUTC()),
        Clock.systemUTC());
  }

  /** The index knows every file that the catalog knows. */
  private void know(FileRecord file) {
    catalog.files().put(file);
    index(file.facts());
  }

  private void index(FileFacts file) {
    namespace.put(file);
    namespace.takeInto(catalog.namespace(), catalog.notes(), NOW);
  }

  private static FileRecord raided(long inode, String path) {
    FileFacts facts = FileFacts.of(path, inode, 100, 60, 1, NOW).withParity(1);
    return new FileRecord(
        facts,
        FileProgress.of(FileState.RAIDED, "warehouse", NOW),
        Optional.of(new Parity("rs-6-3", 3, 1, 2, 1, 40)),
        NOW);
  }

  @Test
  void aCandidateShowsWhatItWillGetAndARaidedFileWhatItHas() throws Exception {
    know(file(1, "/data/a", FileProgress.of(FileState.CANDIDATE, "warehouse", NOW)));
    know(raided(2, "/data/b"));
    FileSummary candidate = files.find(1).orElseThrow().file();
    assertThat(candidate.state()).isEqualTo(FileState.CANDIDATE);
    assertThat(candidate.codec()).contains("rs-6-3");
    assertThat(candidate.targetReplication()).contains(1);
    assertThat(candidate.parityBytes()).isZero();
    assertThat(candidate.clientPath()).contains("/clients/data/a");
    assertThat(files.find(1).orElseThrow().health()).isEmpty();
    assertThat(files.find(2).orElseThrow().file().parityBytes()).isEqualTo(80);
    assertThat(files.find(2).orElseThrow().health().orElseThrow().furtherLosses()).isEqualTo(2);
    assertThat(files.find(3)).isEmpty();
  }

  @Test
  void aFileThatNothingWasDoneToIsShownAsThePoliciesDecide() throws Exception {
    index(FileFacts.of("/data/new", 7, 100, 60, 3, Instant.now()));
    know(raided(8, "/data/old"));

    FileSummary skipped = files.find(7).orElseThrow().file();
    assertThat(skipped.state()).isEqualTo(FileState.LEFT);
    assertThat(skipped.reason()).contains("TOO_YOUNG");
    assertThat(files.list("/", Optional.of(FileState.LEFT), Paging.FIRST).items())
        .extracting(FileSummary::path)
        .containsExactly("/data/new");
    assertThat(files.list("/", Optional.of(FileState.RAIDED), Paging.FIRST).items())
        .extracting(FileSummary::path)
        .containsExactly("/data/old");
    assertThat(files.list("/", Optional.empty(), Paging.FIRST).items()).hasSize(2);
  }

  @Test
  void everyStatusOfARepairHasItsNameInTheApi() {
    for (RepairStatus status : RepairStatus.values()) {
      assertThat(QueuedRepair.State.valueOf(status.name()))
          .isNotEqualTo(QueuedRepair.State.UNKNOWN);
    }
  }

  @Test
  void filesBelowADirectoryAreListedPageByPage() {
    for (int i = 0; i < 9; i++) {
      String path = i % 3 == 0 ? "/data/" + i : "/database/" + i;
      know(file(i, path, FileProgress.left(Reason.EMPTY, "", "", NOW)));
    }
    List<String> paths = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      Page<FileSummary> page =
          files.list("/data", Optional.of(FileState.LEFT), new Paging(2, cursor));
      page.items().forEach(item -> paths.add(item.path()));
      cursor = page.next();
    } while (cursor.isPresent());
    assertThat(paths).containsExactly("/data/0", "/data/3", "/data/6");
    assertThat(files.list("/", Optional.empty(), Paging.FIRST).items()).hasSize(9);
    assertThat(files.list("/data/3", Optional.empty(), Paging.FIRST).items()).hasSize(1);
    assertThat(files.list("/", Optional.of(FileState.RAIDED), Paging.FIRST).items()).isEmpty();
    assertThatThrownBy(() -> files.list("/", Optional.empty(), Paging.FIRST.after("x")))
        .isInstanceOf(ApiFailure.class)
        .hasMessage("'x' is not a cursor");
  }

  @Test
  void historyIsShownPerFileAndPerDirectory() throws Exception {
    know(file(1, "/data/a", FileProgress.left(Reason.EMPTY, "", "", NOW)));
    for (int i = 0; i < 5; i++) {
      catalog
          .history()
          .add(
              new HistoryRecord(
                  NOW.plusSeconds(i),
                  "raided",
                  Optional.of(i % 2L),
                  "/data/" + i,
                  true,
                  "me",
                  "",
                  1,
                  2));
    }
    assertThat(files.find(1).orElseThrow().history())
        .extracting(entry -> entry.path())
        .containsExactly("/data/3", "/data/1");
    HistoryService history = new HistoryService(catalog);
    var first = history.list(HistoryQuery.below("/data"), Paging.first(4));
    assertThat(first.items()).hasSize(4);
    var second =
        history.list(
            HistoryQuery.below("/data"), Paging.first(4).after(first.next().orElseThrow()));
    assertThat(second.items()).extracting(entry -> entry.path()).containsExactly("/data/0");
    assertThat(second.next()).isEmpty();
    assertThatThrownBy(() -> history.list(HistoryQuery.below("/"), Paging.FIRST.after("tomorrow")))
        .isInstanceOf(ApiFailure.class);
  }

  @Test
  void historyIsFilteredByTimePersonAndEvent() {
    for (int i = 0; i < 8; i++) {
      catalog
          .history()
          .add(
              new HistoryRecord(
                  NOW.plusSeconds(i),
                  i % 2 == 0 ? "raided" : "repaired",
                  Optional.empty(),
                  "/" + i,
                  true,
                  i < 4 ? "alice (unproven)" : "alicea",
                  "",
                  1,
                  2));
    }
    assertThat(found(2, 5, "", "")).containsExactly("/4", "/3", "/2");
    assertThat(found(0, 99, "alice", "")).containsExactly("/3", "/2", "/1", "/0");
    assertThat(found(0, 99, "alicea", "raided")).containsExactly("/6", "/4");
    assertThat(found(0, 99, "", "raided,repaired")).hasSize(8);
    assertThat(found(0, 99, "nobody", "")).isEmpty();
    assertThat(found(5, 2, "", "")).isEmpty();
  }

  private List<String> found(int since, int until, String by, String events) {
    HistoryService history = new HistoryService(catalog);
    HistoryQuery wanted =
        new HistoryQuery(
            "/",
            Optional.of(NOW.plusSeconds(since)),
            Optional.of(NOW.plusSeconds(until)),
            Optional.of(by).filter(name -> !name.isEmpty()),
            events.isEmpty() ? Set.of() : Set.of(events.split(",")));
    List<String> paths = new ArrayList<>();
    Optional<Paging> page = Optional.of(Paging.first(3));
    while (page.isPresent()) {
      Page<HistoryEntry> some = history.list(wanted, page.get());
      some.items().forEach(entry -> paths.add(entry.path()));
      page = some.next().map(Paging.first(3)::after);
    }
    return paths;
  }

  @Test
  void repairsAreShownPageByPage() {
    for (int i = 0; i < 5; i++) {
      catalog.repairs().put(repair(i, RepairStatus.WAITING, i - 1));
    }
    QueuedRepairs repairs = new QueuedRepairs(catalog);
    Page<QueuedRepair> first = repairs.list(Paging.first(3));
    Page<QueuedRepair> second = repairs.list(Paging.first(3).after(first.next().orElseThrow()));
    assertThat(first.items()).hasSize(3);
    assertThat(first.items().get(0).lost()).containsExactly(0, 4);
    assertThat(second.items()).extracting(QueuedRepair::stripe).containsExactly(3, 4);
    assertThat(second.next()).isEmpty();
    for (String cursor : List.of("x", "", "-", "1-", "-1", "1-x")) {
      assertThatThrownBy(() -> repairs.list(Paging.FIRST.after(cursor)))
          .as(cursor)
          .isInstanceOf(ApiFailure.class);
    }
  }

  private static RepairState repair(int stripe, RepairStatus status, int furtherLosses) {
    DegradedStripe damage =
        new DegradedStripe(
            new StripeKey(100, stripe),
            7,
            "/data/a",
            "rs-6-3",
            UnitSet.of(0, 4),
            furtherLosses,
            "NAMENODE",
            NOW,
            0,
            0);
    return switch (status) {
      case WAITING -> new RepairState.Waiting(damage, "");
      case RUNNING -> new RepairState.Running(damage, "");
      case POSTPONED -> new RepairState.Postponed(damage, "", NOW);
      case PARKED -> new RepairState.Parked(damage, "");
      case UNRECOVERABLE -> new RepairState.Unrecoverable(damage, "", NOW);
    };
  }

  @Test
  void theSummaryCountsFilesReasonsBytesAndRepairs() {
    know(file(1, "/a", FileProgress.left(Reason.EMPTY, "", "", NOW)));
    know(file(2, "/b", FileProgress.left(Reason.EMPTY, "", "", NOW)));
    know(file(3, "/c", FileProgress.of(FileState.CANDIDATE, "warehouse", NOW)));
    know(raided(4, "/d"));
    know(raided(5, "/e"));
    catalog.repairs().put(repair(0, RepairStatus.WAITING, 0));
    catalog.repairs().put(repair(1, RepairStatus.POSTPONED, 1));
    catalog.repairs().put(repair(2, RepairStatus.UNRECOVERABLE, -1));
    CatalogSummary summary = new CatalogSummary(catalog, Optional::empty);
    assertThat(summary.files())
        .isEqualTo(Map.of(FileState.LEFT, 2L, FileState.CANDIDATE, 1L, FileState.RAIDED, 2L));
    assertThat(summary.skipped()).isEqualTo(Map.of("EMPTY", 2L));
    // Two files of 100 bytes: once each, and 40 bytes of parity twice; three times each before.
    assertThat(summary.space()).isEqualTo(new Space(200, 360, 160, 240));
    ExcessReplicas kept = new ExcessReplicas(NOW, 1, 50, true, Set.of());
    assertThat(new CatalogSummary(catalog, () -> Optional.of(kept)).space())
        .as("not freed yet")
        .isEqualTo(new Space(200, 410, 160, 190));
    assertThat(summary.repairs()).isEqualTo(new Status.Repairs(1, 0, 1, 0, 1, 2));
  }

  @Test
  void policiesAreShownWithTheirNextRun() {
    var view = new PolicyList(() -> Policies.of(WAREHOUSE), policy -> Optional.of(NOW)).view();
    assertThat(view.minSavingPercent()).isEqualTo(10);
    assertThat(view.excludes()).contains("/tmp/**");
    assertThat(view.policies())
        .singleElement()
        .satisfies(
            policy -> {
              assertThat(policy.paths()).containsExactly("/data/**");
              assertThat(policy.excludes()).containsExactly("/data/tmp");
              assertThat(policy.codec()).isEqualTo("rs-6-3");
              assertThat(policy.parityReplication()).isEqualTo(2);
              assertThat(policy.nextRun()).contains(NOW);
            });
  }
}
