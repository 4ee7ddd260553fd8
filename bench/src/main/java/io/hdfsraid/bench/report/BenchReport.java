// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * The result of a benchmark.
 *
 * @param bench which one, e.g. {@code codec}
 * @param method how it was measured, in sentences
 * @param machine as it was when measuring began
 * @param loadAverageAfter of the machine, when measuring had ended
 */
record BenchReport(
    String bench,
    List<String> method,
    Machine machine,
    double loadAverageAfter,
    double seconds,
    List<Row> rows) {

  BenchReport {
    method = List.copyOf(method);
    rows = List.copyOf(rows);
  }

  @JsonIgnore
  List<Row> missed() {
    return rows.stream().filter(Row::isMissed).toList();
  }
}
