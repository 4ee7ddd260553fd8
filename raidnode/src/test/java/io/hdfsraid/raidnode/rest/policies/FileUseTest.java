// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.AccessRate;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.HdfsStoragePolicy;
import io.hdfsraid.raidapi.policies.FileExplanation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FileUseTest {
  private static final Instant NOW = Instant.parse("2029-03-01T12:00:00Z");
  private static final Instant CHANGED = NOW.minus(Duration.ofDays(100));
  private static final FileFacts FRESH = FileFacts.of("/a", 16_386, 100, 60, 3, CHANGED);

  private static FileExplanation.Use use(FileFacts fresh, FileFacts indexed) {
    return FileUse.of(fresh, Optional.of(indexed), access -> true).view(NOW);
  }

  @Test
  void aFileThatTheIndexDoesNotKnowIsAsHdfsShowsIt() {
    FileUse use = FileUse.of(FRESH, Optional.empty(), access -> true);

    assertThat(use.all()).isEqualTo(FRESH);
    assertThat(use.view(NOW))
        .isEqualTo(
            new FileExplanation.Use(
                Optional.of(CHANGED),
                "its last change",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  void theLaterOfTwoAccessesCountsAndItIsSaidWhoTellsOfIt() {
    Instant early = CHANGED.plusSeconds(10);
    Instant late = CHANGED.plusSeconds(20);

    assertThat(use(FRESH.withAccess(late), FRESH.withAccess(early)))
        .satisfies(use -> assertThat(use.last()).contains(late))
        .satisfies(use -> assertThat(use.saidBy()).isEqualTo("its access time in HDFS"));
    assertThat(use(FRESH.withAccess(early), FRESH.withAccess(late)))
        .satisfies(use -> assertThat(use.last()).contains(late))
        .satisfies(use -> assertThat(use.saidBy()).startsWith("the record of accesses"));
    assertThat(use(FRESH, FRESH.withAccess(late)).last()).contains(late);
    assertThat(use(FRESH, FRESH.withAccess(CHANGED.minusSeconds(1))))
        .satisfies(use -> assertThat(use.last()).contains(CHANGED))
        .satisfies(use -> assertThat(use.saidBy()).isEqualTo("its last change"));
  }

  @Test
  void anAccessTimeOfAReadThatDoesNotCountIsNotShown() {
    Instant early = CHANGED.plusSeconds(10);
    FileFacts shown = FRESH.withAccess(CHANGED.plusSeconds(20));

    assertThat(
            FileUse.of(shown, Optional.of(FRESH.withAccess(early)), access -> false)
                .view(NOW)
                .last())
        .contains(early);
    assertThat(FileUse.of(shown, Optional.empty(), access -> false).view(NOW).last())
        .contains(CHANGED);
  }

  @Test
  void whatOnlyTheIndexKnowsIsAddedAndWhatHdfsSaysStays() {
    FileFacts indexed =
        FRESH
            .withReplication(2)
            .belowSnapshots()
            .withStoragePolicy(HdfsStoragePolicy.COLD)
            .withAccessRate(new AccessRate(4, NOW, Duration.ofDays(30)));

    FileUse use = FileUse.of(FRESH.inSnapshot(5), Optional.of(indexed), access -> true);

    assertThat(use.all().replication()).isEqualTo(3);
    assertThat(use.view(NOW).snapshotReplication()).contains(5);
    assertThat(use.view(NOW).belowSnapshots()).contains(true);
    assertThat(use.view(NOW).storagePolicy()).contains("COLD");
    assertThat(use.view(NOW).accessesIn30Days().orElseThrow())
        .isCloseTo(4 * Math.log(2), Offset.offset(1e-9));
  }
}
