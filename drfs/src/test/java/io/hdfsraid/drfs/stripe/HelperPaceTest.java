// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.RaidedFile;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With a clock that moves when a DataNode answers. */
class HelperPaceTest extends StripeFixture {
  private static final Duration AVOIDANCE = Duration.ofMinutes(1);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000);
  private final HelperPace pace = new HelperPace(AVOIDANCE, Duration.ofSeconds(10), nanos::get);
  private LocatedStripe stripe;
  private Block block;
  private Replica replica;

  @BeforeEach
  void raid() throws IOException {
    stripe =
        RaidedFile.create(
                cluster, "/f", 3_000, new byte[9_000], Codecs.parse("rs-3-2"), 1_024, threads)
            .stripes()
            .get(0);
    var located = stripe.unit(1).located().orElseThrow();
    block = located.block();
    replica = located.live().get(0);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** Looks at the pace while a node has been silent for a time. */
  private void ask(Duration silence, Runnable look) throws IOException {
    DataNodes slow =
        new DataNodes() {
          @Override
          public BlockInput open(Block asked, Replica from, long offset, long length)
              throws IOException {
            pass(silence);
            look.run();
            return cluster.open(asked, from, offset, length);
          }

          @Override
          public int checksum(Block asked, Replica from) {
            throw new AssertionError();
          }
        };
    pace.timed(slow).open(block, replica, 0, 1).close();
  }

  @Test
  void aNodeIsLateThatTakesThreeTimesAsLongAsMostCalls() throws IOException {
    assertThat(pace.after()).as("before anything is known").contains(Duration.ofMillis(500));
    for (int call = 1; call <= 200; call++) {
      ask(Duration.ofMillis(call % 25 == 0 ? 900 : 40), () -> {});
    }
    assertThat(pace.after()).contains(Duration.ofMillis(120));
    for (int call = 0; call < 128; call++) {
      ask(Duration.ofMillis(1), () -> {});
    }
    assertThat(pace.after()).as("on a quick cluster").contains(Duration.ofMillis(50));
    for (int call = 0; call < 128; call++) {
      ask(Duration.ofSeconds(3), () -> {});
    }
    assertThat(pace.after()).as("on a slow cluster").contains(Duration.ofSeconds(2));
  }

  @Test
  void aNodeIsSlowAsLongAsACallHasWaitedForIt() throws IOException {
    Duration late = Duration.ofMillis(100);
    ask(Duration.ofMillis(99), () -> assertThat(pace.isSlow(replica.node(), late)).isFalse());
    ask(
        late,
        () -> {
          assertThat(pace.isSlow(replica.node(), late)).isTrue();
          assertThat(pace.isSlow(cluster.node(0), late)).isFalse();
        });
    assertThat(pace.isSlow(replica.node(), late)).isFalse();
  }

  @Test
  void aNodeThatWasReadAroundIsLeftOutForAWhile() throws IOException {
    DataNode node = replica.node();
    ask(Duration.ofMillis(600), () -> pace.began(stripe, UnitSet.of(1), UnitSet.of(2, 3, 4)));
    assertThat(pace.isAvoided(node)).isTrue();
    assertThat(pace.isSlow(node, Duration.ofHours(1))).isTrue();
    assertThat(pace.isAvoided(cluster.node(0))).isFalse();
    pass(AVOIDANCE);
    assertThat(pace.isAvoided(node)).isFalse();
  }

  @Test
  void aCallThatFailsIsNoPace() {
    for (int call = 0; call < 20; call++) {
      assertThatThrownBy(
              () ->
                  ask(
                      Duration.ofSeconds(9),
                      () -> {
                        throw new IllegalStateException("no answer");
                      }))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(pace.after()).contains(Duration.ofMillis(500));
    assertThat(pace.isSlow(replica.node(), Duration.ofSeconds(1))).isFalse();
  }
}
