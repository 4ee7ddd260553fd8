// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.CodingMatrix;
import io.hdfsraid.erasurecode.codes.LinearCode.LocalCheck;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What planning relies on: of a local check any {@code redundancy} chunks follow from the rest. */
class LocalCheckTest {
  // In hitchhiker-28-6 the sum of f_2 to f_6 goes without data unit 3.
  static Stream<ErasureCodec> codecs() {
    return Stream.concat(
        Codecs.all().stream(),
        Stream.of("less-4-2", "less-10-4-2", "hitchhiker-3-2", "hitchhiker-28-6", "hitchhiker-1-3")
            .map(Codecs::parse));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void everyCheckBearsAsManyLossesAsItSays(ErasureCodec codec) {
    LinearCode code = ((LinearCodec) codec).code();
    for (LocalCheck check : code.checks()) {
      int[][] rows = check.chunks().stream().map(code.generator()::row).toArray(int[][]::new);
      // Rows of sums that are 0: any so many columns of theirs are independent.
      CodingMatrix sums = CodingMatrix.of(code.dataChunks(), rows).leftNullSpace();
      assertThat(sums.rows()).as("%s", check).isGreaterThanOrEqualTo(check.redundancy());
      for (UnitSet lost : Patterns.ofSize(check.redundancy(), rows.length)) {
        if (sums.pickColumns(lost.toArray()).rank() < check.redundancy()) {
          throw new AssertionError("%s: %s do not follow".formatted(check, lost));
        }
      }
    }
  }
}
