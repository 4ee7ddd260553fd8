// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.Budget;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.RunSettings;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.SkipReason;
import io.hdfsraid.recency.ListedNamespace;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.RecencyOptions;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a round takes, and what it passes by though the index offers it. */
class RaidPlannerTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final long FIRST = 20_001;
  private static final long LENGTH = 1_000_000_000;
  private static final Policy COLD =
      new Policy(
          "cold",
          List.of(PathGlob.of("/data")),
          List.of(),
          Duration.ofDays(90),
          Duration.ZERO,
          0,
          new Protection("rs-10-4", 1, 1),
          Optional.empty());

  @TempDir private Path folder;
  private final ListedNamespace namespace = new ListedNamespace();
  private Catalog catalog;
  private Recency recency;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, CLOCK);
    recency =
        new Recency(
            catalog.namespace(),
            catalog.notes(),
            reads -> {},
            namespace,
            RecencyOptions.listing("/.raid", Optional.of(NOW.minus(Duration.ofDays(999)))),
            CLOCK);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private FileFacts cold(int number, int days) {
    FileFacts file =
        FileFacts.of(
            "/data/" + number,
            FIRST + number,
            LENGTH,
            4_000_000,
            3,
            NOW.minus(Duration.ofDays(days)));
    namespace.put(file);
    return file;
  }

  private List<String> planned() throws IOException {
    return planned(COLD, policy -> true);
  }

  private List<String> planned(Policy cold, Predicate<Policy> which) throws IOException {
    long unused = recency.refresh();
    return plan(cold, which).alone().stream().map(candidate -> candidate.file().path()).toList();
  }

  private RaidPlan plan(Policy cold, Predicate<Policy> which) {
    Policies policies = new Policies(List.of(cold), List.of(), 0);
    PoliciesInForce inForce =
        new PoliciesInForce(
            policies, held -> new Judge(held, "/.raid", new CodecEstimate(), CLOCK));
    return new RaidPlanner(catalog, recency, inForce, CLOCK)
        .plan(which, new RememberedGates(catalog, rule -> new SpaceUsage(0, 0, 0)));
  }

  /** What no policy wants leaves the order when it is looked at. */
  private FileFacts coldestUnwanted() {
    FileFacts file =
        FileFacts.of("/other/1", FIRST, LENGTH, 4_000_000, 3, NOW.minus(Duration.ofDays(500)));
    namespace.put(file);
    return file;
  }

  private FileFacts thenUnwanted() {
    FileFacts file =
        FileFacts.of("/other/9", FIRST + 9, LENGTH, 4_000_000, 3, NOW.minus(Duration.ofDays(95)));
    namespace.put(file);
    return file;
  }

  private static Policy running(Optional<CapacityRule> capacity, Budget budget) {
    return COLD.running(
        new RunSettings(
            Optional.empty(),
            RunSettings.Misfire.SKIP,
            ZoneOffset.UTC,
            TimeWindows.NONE,
            capacity,
            budget));
  }

  private Optional<SkipReason> skipReason(FileFacts file) {
    return List.of(SkipReason.values()).stream()
        .filter(why -> why.holds(catalog.namespace().file(file.inodeId()).orElseThrow()))
        .findFirst();
  }

  @Test
  void theColdestComeFirstAndWhatIsWarmNotAtAll() throws IOException {
    cold(1, 100);
    cold(2, 300);
    cold(3, 10);
    cold(4, 200);

    assertThat(planned()).containsExactly("/data/2", "/data/4", "/data/1");
  }

  @Test
  void ofWhatHasNoNumberYetTheDirectoryIsListedAndNothingIsRaided() throws IOException {
    cold(1, 100);
    long unused = recency.refresh();
    long then = NOW.minus(Duration.ofDays(200)).toEpochMilli();
    catalog
        .namespace()
        .apply(
            List.of(
                new NamespaceEvent.FileCreated("/data/2", then, "u", "g", 3, 4_000_000, false),
                new NamespaceEvent.Closed("/data/2", then, LENGTH)),
            1,
            new Watermark("edits", "1"));

    RaidPlan plan = plan(COLD, policy -> true);

    assertThat(plan.alone())
        .extracting(candidate -> candidate.file().path())
        .containsExactly("/data/1");
    assertThat(plan.unclear()).containsExactly("/data");
  }

  @Test
  void whatAnOperatorUnraidedIsPassedByThoughItIsInTheOrderAgain() throws IOException {
    FileFacts file = cold(1, 100);
    catalog
        .files()
        .put(
            new FileRecord(
                file.with(Trait.UNRAIDED_BY_OPERATOR),
                FileProgress.left(Reason.UNRAIDED_BY_OPERATOR, "", "operator", NOW),
                Optional.empty(),
                NOW));

    assertThat(planned()).isEmpty();
    assertThat(skipReason(file)).contains(SkipReason.REFUSED);
  }

  @Test
  void whatHasParityIsPassedByThoughItHasReplicasToSpare() throws IOException {
    FileFacts file = cold(1, 100);
    catalog
        .files()
        .put(
            new FileRecord(
                file.withParity(1),
                FileProgress.of(FileState.COMMITTED, "cold", NOW),
                Optional.of(new Parity("rs-10-4", 3, 1, 1, 25, 512)),
                NOW));

    assertThat(planned()).isEmpty();
    assertThat(skipReason(file)).contains(SkipReason.RAIDED);
  }

  @Test
  void whatNoPolicyWantsLeavesTheOrder() throws IOException {
    FileFacts file = coldestUnwanted();
    cold(2, 100);

    assertThat(planned()).containsExactly("/data/2");
    assertThat(skipReason(file)).contains(SkipReason.LEFT);
  }

  @Test
  void whereNoPolicyMayActNoFileIsLookedAt() throws IOException {
    FileFacts file = coldestUnwanted();
    cold(2, 100);

    assertThat(planned(COLD, policy -> false)).isEmpty();
    assertThat(skipReason(file)).isEmpty();
  }

  @Test
  void whereNoPolicyKnowsWhatIsColdNoFileIsLookedAt() throws IOException {
    FileFacts file = coldestUnwanted();
    Policy thousandDays =
        new Policy(
            "cold",
            COLD.paths(),
            List.of(),
            Duration.ofDays(1_000),
            Duration.ZERO,
            0,
            COLD.protection(),
            Optional.empty());

    assertThat(planned(thousandDays, policy -> true)).isEmpty();
    assertThat(skipReason(file)).isEmpty();
  }

  @Test
  void whereNoRoomIsToBeMadeNoFileIsLookedAt() throws IOException {
    FileFacts file = coldestUnwanted();
    Policy evicting = running(Optional.of(new CapacityRule(80, 70, Optional.empty())), Budget.NONE);

    assertThat(planned(evicting, policy -> true)).isEmpty();
    assertThat(skipReason(file)).isEmpty();
  }

  @Test
  void whatComesAfterTheBudgetIsSpentIsNotLookedAt() throws IOException {
    cold(1, 100);
    cold(2, 300);
    FileFacts later = thenUnwanted();
    Policy one = running(Optional.empty(), new Budget(OptionalLong.empty(), OptionalLong.of(1)));

    assertThat(planned(one, policy -> true)).containsExactly("/data/2");
    assertThat(skipReason(later)).isEmpty();
    assertThat(planned()).containsExactly("/data/2", "/data/1");
    assertThat(skipReason(later)).contains(SkipReason.LEFT);
  }

  private long small(String path, int number, int days) {
    long inode = FIRST + 1_000 + number;
    namespace.put(
        FileFacts.of(path, inode, 4_000_000, 4_000_000, 3, NOW.minus(Duration.ofDays(days))));
    return inode;
  }

  @Test
  void whatABudgetHadForALonelyFileIsThereForTheGroupsOfOthers() throws IOException {
    small("/data/alone/0", 0, 400);
    small("/data/many/0", 1, 300);
    List<Long> waiting = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      waiting.add(small("/data/many/" + i, 1 + i, 200));
    }
    long unused = recency.refresh();
    waiting.forEach(inode -> catalog.namespace().skip(inode, SkipReason.NO_COMPANY.tag()));
    Policy eleven =
        running(Optional.empty(), new Budget(OptionalLong.empty(), OptionalLong.of(11)));

    RaidPlan plan = plan(eleven, policy -> true);

    assertThat(plan.lonely())
        .extracting(lonely -> lonely.file().path())
        .containsExactly("/data/alone/0");
    assertThat(plan.groups())
        .singleElement()
        .satisfies(group -> assertThat(group.files()).hasSize(11));
  }
}
