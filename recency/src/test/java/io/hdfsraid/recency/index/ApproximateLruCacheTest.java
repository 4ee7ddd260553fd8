// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ApproximateLruCacheTest {
  private final ApproximateLruCache<Integer, String> kept = new ApproximateLruCache<>(3);

  private void keep(int key) {
    kept.keep(key, "v" + key, kept.changes());
  }

  private long found(int upTo) {
    return IntStream.range(0, upTo).filter(key -> kept.find(key).isPresent()).count();
  }

  @Test
  void theLatestAreKeptAndNoMoreThanTwiceTheHalf() {
    for (int key = 0; key < 100; key++) {
      keep(key);
      assertThat(kept.find(key)).contains("v" + key);
    }
    assertThat(kept.find(98)).contains("v98");
    assertThat(kept.find(97)).contains("v97");
    assertThat(found(100)).isLessThanOrEqualTo(6);
  }

  @Test
  void whatIsAskedForStaysThoughOthersCome() {
    for (int key = 0; key < 100; key++) {
      keep(key);
      assertThat(kept.find(0)).as("after %d others", key).contains("v0");
    }
  }

  @Test
  void whatWasForgottenIsGoneOfWhateverAge() {
    for (int key = 0; key < 5; key++) {
      keep(key);
    }
    kept.forget(List.of(0, 1, 2, 3, 4));
    assertThat(found(5)).isZero();
    for (int key = 0; key < 5; key++) {
      keep(key);
    }
    kept.forgetAll();
    assertThat(found(5)).isZero();
  }

  @Test
  void whatWasReadBeforeAChangeIsNotKept() {
    long seen = kept.changes();
    kept.forget(List.of(1));
    kept.keep(1, "stale", seen);
    assertThat(kept.find(1)).isEmpty();
  }
}
