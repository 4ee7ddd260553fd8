// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.access.Cause;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final long INODE = 16_400;
  private static final long LENGTH = 10 << 20;
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;
  private Catalog catalog;
  private Journal journal;

  @BeforeEach
  void aCandidateIsKnown() {
    Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    catalog = Catalog.open(folder, clock);
    journal = new Journal(catalog, clock, RaidEvents.NONE);
    FileFacts facts = FileFacts.of("/cold", INODE, LENGTH, 1 << 20, 3, NOW);
    catalog
        .files()
        .put(
            new FileRecord(
                facts, FileProgress.of(FileState.CANDIDATE, "cold", NOW), Optional.empty(), NOW));
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private FileRecord after(String action, FileState stage, String by) {
    journal.worked(
        action,
        INODE,
        new RaidOutcome(stage, Optional.empty(), "", Optional.of(parity()), 0, 0, Optional.empty()),
        by);
    return catalog.files().find(INODE).orElseThrow();
  }

  private static ParityFile parity() {
    Manifest manifest =
        new Manifest(
            "cluster",
            "pool",
            "rs-10-4",
            new RowLayout(1, 1 << 20),
            3,
            1,
            1,
            List.of(new Member(INODE, LENGTH)),
            List.of());
    LocatedFile file =
        new LocatedFile(
            "/.raid/parity/010/16400",
            17_000,
            4 << 20,
            1 << 20,
            1,
            NOW,
            NOW,
            "raid",
            "raid",
            0640,
            false,
            false,
            false,
            0,
            List.of());
    return new ParityFile(file, manifest, ParityPhase.REDUCED);
  }

  @Test
  void whatAFileOccupiesIsKnownFromTheStepOnThatChangesIt() {
    assertThat(after("raid", FileState.COMMITTED, "cold").facts().replication()).isEqualTo(3);
    assertThat(after("raid", FileState.REDUCED, "cold").facts().replication()).isEqualTo(1);
    assertThat(after("reconcile", FileState.RAIDED, "reconcile").facts().replication())
        .isEqualTo(1);
    assertThat(after("unraid", FileState.UNRAIDING, "operator").facts().replication()).isEqualTo(3);
  }

  @Test
  void inATroubleThatHasALineOfItsOwnFailuresOfJobsAreNotNoted() {
    Journal inTrouble =
        new Journal(catalog, Clock.fixed(NOW, ZoneOffset.UTC), RaidEvents.NONE, failure -> true);
    for (String action : List.of("raid", "unraid", "reconcile")) {
      inTrouble.failed(action, INODE, new IOException("Connection refused"), "cold");
    }
    assertThat(history()).isEmpty();
  }

  @Test
  void theSameFailureIsNotedOnceUntilTheWorkHasAResult() {
    IOException quota = new IOException("Quota exceeded");
    for (int i = 0; i < 5; i++) {
      journal.failed("reconcile", INODE, quota, "reconcile");
    }
    assertThat(history()).containsExactly("reconcile");
    journal.failed("reconcile", INODE, new IOException("No route"), "reconcile");
    journal.failed("reconcile", INODE + 1, quota, "reconcile");
    assertThat(history()).hasSize(3);
    after("reconcile", FileState.REDUCED, "reconcile");
    journal.failed("reconcile", INODE, quota, "reconcile");
    assertThat(history()).filteredOn("reconcile"::equals).hasSize(4);
  }

  @Test
  void whoAsksAgainFindsTheSameFailureAgain() {
    for (int i = 0; i < 2; i++) {
      Cause.Scope scope = new Cause("id-" + i, "once more").open();
      try {
        journal.failed("raid", INODE, new IOException("Quota exceeded"), "alice");
      } finally {
        scope.close();
      }
    }
    assertThat(catalog.history().newest(Optional.empty(), line -> true, 9, 9))
        .extracting(line -> line.outcome().cause())
        .containsExactly(new Cause("id-1", "once more"), new Cause("id-0", "once more"));
  }

  @Test
  void theHistorySaysWhatWasChanged() {
    after("raid", FileState.REDUCED, "cold");
    assertThat(catalog.history().newest(Optional.empty(), line -> true, 9, 9).get(0).outcome())
        .satisfies(line -> assertThat(line.before()).isEqualTo("candidate, replication 3"))
        .satisfies(line -> assertThat(line.after()).isEqualTo("reduced, replication 1"));
  }

  private List<String> history() {
    return catalog.history().newest(Optional.empty(), line -> true, 99, 99).stream()
        .map(line -> line.outcome().event())
        .toList();
  }

  @Test
  void whoLooksAfterAFileIsNotWhoWantedIt() {
    after("raid", FileState.REDUCED, "cold");
    assertThat(after("reconcile", FileState.RAIDED, "integrity check").progress().by())
        .isEqualTo("cold");
    assertThat(after("unraid", FileState.UNRAIDING, "operator").progress().by())
        .isEqualTo("operator");
  }
}
