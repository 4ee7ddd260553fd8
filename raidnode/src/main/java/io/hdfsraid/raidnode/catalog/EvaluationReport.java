// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import java.time.Instant;
import java.util.List;

/**
 * The decisions of the policies on all files.
 *
 * @param at when it began
 * @param files all of them, also those that the catalog knows one by one
 * @param lines those that it does not
 */
public record EvaluationReport(Instant at, long files, List<EvaluationLine> lines) {
  public EvaluationReport {
    lines = List.copyOf(lines);
  }
}
