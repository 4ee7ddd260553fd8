// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.parity.GroupId;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ParityIdsTest {
  @Test
  void whatWasAddedIsContainedAndNothingElse() {
    Random random = new Random(5);
    Set<Long> expected = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      expected.add(16_385 + (long) random.nextInt(200_000));
      GroupId group = GroupId.fresh(random);
      expected.addAll(List.of(group.value(), group.successor().successor().value()));
    }
    ParityIds ids = new ParityIds();
    expected.forEach(ids::add);

    assertThat(expected).allMatch(ids::contains);
    for (long id = 16_385; id < 250_000; id++) {
      assertThat(ids.contains(id)).as("%d", id).isEqualTo(expected.contains(id));
    }
    assertThat(expected.stream().filter(GroupId::isGroup).map(id -> id + 1))
        .noneMatch(id -> ids.contains(id) != expected.contains(id));

    Set<Long> all = new HashSet<>();
    ids.iterator().forEachRemaining((long id) -> all.add(id));
    assertThat(all).isEqualTo(expected);
    assertThat(ids.size()).isEqualTo(expected.size());
  }
}
