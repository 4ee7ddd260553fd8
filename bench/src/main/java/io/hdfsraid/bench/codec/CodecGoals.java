// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import java.util.Map;
import java.util.OptionalDouble;

/** The least speeds that the codecs should reach. */
final class CodecGoals {
  /** Times Hadoop's coder for (10,4): by codec and kernel, both for encoding. */
  private static final Map<String, Double> BESIDE_HADOOP =
      Map.of(
          "rs-10-4 portable", 8.0,
          "crs-good-10-4 portable", 8.0,
          "rs-10-4 isa-l", 25.0);

  /** Of the plan of a repair that was planned before, per second. */
  static final double PLANS = 1e5;

  /** Times {@code rs-10-4} with the same kernel. */
  static final double LESS_ENCODING = 0.4;

  /** Times {@code rs-10-4} with the same kernel, for the rebuilt unit. */
  static final double LRC_REPAIR = 3;

  private CodecGoals() {}

  static OptionalDouble besideHadoop(String codec, CodecOperation operation, String kernel) {
    Double goal = BESIDE_HADOOP.get(codec + " " + kernel);
    return operation == CodecOperation.ENCODE && goal != null
        ? OptionalDouble.of(goal)
        : OptionalDouble.empty();
  }
}
