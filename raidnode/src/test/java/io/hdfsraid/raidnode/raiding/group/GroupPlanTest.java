// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Protection;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupPlanTest {
  private static final int BLOCK = 1_000;
  private static final Protection RS_10_4 = new Protection("rs-10-4", 1, 1);

  private static List<FileFacts> files(int count, int length) {
    return IntStream.range(0, count)
        .mapToObj(i -> FileFacts.of("/d/" + i, 100 + i, length, BLOCK, 3, Instant.EPOCH))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 79, 80, 81, 200, 500, 1_001})
  void everyFileIsInOneGroupOfAtMostEightStripes(int count) {
    List<FileFacts> files = files(count, BLOCK);

    GroupPlan plan = GroupPlan.of(files, RS_10_4, 10);

    assertThat(plan.left()).isEmpty();
    assertThat(plan.groups().stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(files);
    int smallest = plan.groups().stream().mapToInt(List::size).min().orElseThrow();
    int largest = plan.groups().stream().mapToInt(List::size).max().orElseThrow();
    assertThat(largest).isLessThanOrEqualTo(80);
    assertThat(largest - smallest).as("evenly cut, but for a stripe").isLessThan(20);
    int stripes = plan.groups().stream().mapToInt(group -> (group.size() + 9) / 10).sum();
    assertThat(stripes).as("no more than one is short of units").isEqualTo((count + 9) / 10);
  }

  @Test
  void filesOfSimilarLengthAreTogetherAndTheBlocksOfAFileStayTogether() {
    List<FileFacts> files =
        IntStream.range(0, 200)
            .mapToObj(
                i -> FileFacts.of("/d/" + i, i, 10 + (i * 37L) % 2_500, BLOCK, 3, Instant.EPOCH))
            .toList();

    GroupPlan plan = GroupPlan.of(files, RS_10_4, 0);

    long shortestBefore = Long.MAX_VALUE;
    for (List<FileFacts> group : plan.groups()) {
      assertThat(group.stream().mapToInt(FileFacts::blocks).sum()).isLessThanOrEqualTo(82);
      assertThat(group.get(0).length()).isLessThanOrEqualTo(shortestBefore);
      shortestBefore = group.get(group.size() - 1).length();
    }
  }

  @Test
  void filesThatWouldNotSaveEnoughTogetherAreLeftWithTheArithmetic() {
    GroupPlan two = GroupPlan.of(files(2, BLOCK), RS_10_4, 10);
    assertThat(two.groups()).isEmpty();
    assertThat(two.left()).hasSize(2);
    assertThat(two.whyLeft()).contains("2 files", "6000 bytes", "would occupy 6000", "10 %");

    assertThat(GroupPlan.of(files(3, BLOCK), RS_10_4, 10).groups()).hasSize(1);
    assertThat(GroupPlan.of(files(3, BLOCK), RS_10_4, 30).groups()).isEmpty();
    assertThat(GroupPlan.of(List.of(), RS_10_4, 10).whyLeft()).isEmpty();
  }

  @Test
  void onlyFilesWithoutAFullStripeOfTheirOwnShareParity() {
    assertThat(GroupPlan.mayShare(files(1, 9 * BLOCK).get(0), RS_10_4)).isTrue();
    assertThat(GroupPlan.mayShare(files(1, 9 * BLOCK + 1).get(0), RS_10_4)).isFalse();
    assertThat(GroupPlan.mayShare(files(1, 0).get(0), RS_10_4)).isFalse();
  }

  @Test
  void whatMayBeReadByOthersOrLiesElsewhereIsInAnotherBucket() {
    FileFacts file = files(1, BLOCK).get(0);
    assertThat(GroupPlan.Bucket.of(file)).isEqualTo(GroupPlan.Bucket.of(files(2, 17).get(1)));
    assertThat(
            List.of(
                file.withOwner("eve", ""),
                file.withReplication(2),
                file.with(FileFacts.Trait.ENCRYPTED),
                FileFacts.of("/d/e/0", 1, BLOCK, BLOCK, 3, Instant.EPOCH)))
        .allSatisfy(
            other ->
                assertThat(GroupPlan.Bucket.of(other)).isNotEqualTo(GroupPlan.Bucket.of(file)));
  }
}
