// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.yarn.task.StripeBatch;
import io.hdfsraid.yarn.work.EncodeWork;
import io.hdfsraid.yarn.work.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StripeBatchesTest {
  private static Replica on(String rack, String host) {
    return new Replica(new DataNode(host, host + ":9866", host, rack), "DISK", true);
  }

  /** A stripe of two blocks with these replicas each. */
  private static EncodeWork stripe(int number, Replica... replicas) {
    List<Source> data = new ArrayList<>();
    for (int unit = 0; unit < 2; unit++) {
      data.add(new Source(new Block(unit, 1, 100), List.of(replicas), ""));
    }
    return new EncodeWork(0, "/d", number, "rs-3-2", data, List.of("a:1", "b:1"), 100);
  }

  private static List<Integer> numbers(StripeBatch batch) {
    return batch.stripes().stream().map(work -> ((EncodeWork) work).stripe()).toList();
  }

  @Test
  void stripesOfOneRackGoTogetherToHostsThatHoldMostOfThem() {
    EncodeWork one = stripe(1, on("/a", "a1"), on("/a", "a2"), on("/c", "c1"));
    EncodeWork two = stripe(2, on("/b", "b1"), on("/b", "b2"), on("/c", "c1"));
    EncodeWork three = stripe(3, on("/a", "a1"), on("/a", "a3"), on("/c", "c3"));
    EncodeWork four = stripe(4, on("/b", "b1"), on("/b", "b3"), on("/c", "c1"));

    List<StripeBatch> batches = StripeBatches.of(List.of(one, two, three, four), 400);

    assertThat(batches)
        .extracting(StripeBatchesTest::numbers)
        .containsExactly(List.of(1, 3), List.of(2, 4));
    assertThat(batches.get(0).getLocations()).startsWith("a1").doesNotContain("b1", "c1");
    assertThat(batches.get(1).getLocations()).startsWith("b1").doesNotContain("c1");
    assertThat(batches).allSatisfy(batch -> assertThat(batch.getLength()).isEqualTo(400));
  }

  @Test
  void aBatchIsClosedWhenItHasEnoughBytesAndNothingIsLeftOut() {
    List<EncodeWork> stripes =
        Stream.iterate(1, i -> i + 1).limit(7).map(i -> stripe(i, on("/a", "a"))).toList();

    assertThat(StripeBatches.of(stripes, 1)).hasSize(7);
    assertThat(StripeBatches.of(stripes, 600))
        .extracting(batch -> batch.stripes().size())
        .containsExactly(3, 3, 1);
    assertThat(StripeBatches.of(stripes, Long.MAX_VALUE)).hasSize(1);
    assertThat(StripeBatches.of(List.of(), 600)).isEmpty();
  }

  @Test
  void aStripeWithoutReplicasGoesAnywhere() {
    assertThat(StripeBatches.of(List.of(stripe(1)), 1))
        .singleElement()
        .satisfies(batch -> assertThat(batch.getLocations()).isEmpty());
  }
}
