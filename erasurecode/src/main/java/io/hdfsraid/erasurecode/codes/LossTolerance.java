// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.Span;

/**
 * Counts how many further losses a stripe is certain to tolerate. Lost units are determined by the
 * others exactly if their columns of the parity-check matrix are independent. So the search walks
 * the patterns of losses depth first, and each pattern adds its columns to those of the pattern
 * that it extends.
 */
final class LossTolerance {
  private final LinearCode code;
  private final UnitSet lost;
  private final Span columns;

  private LossTolerance(LinearCode code, UnitSet lost) {
    this.code = code;
    this.lost = lost;
    this.columns = new Span(code.generator().parity().rows());
  }

  /** -1 when the lost units themselves are not determined. */
  static int furtherLosses(LinearCode code, UnitSet lost) {
    int most = code.shape().parityUnits() - lost.size();
    if (code.mds()) {
      return Math.max(-1, most);
    }
    LossTolerance tolerance = new LossTolerance(code, lost);
    for (int unit : lost.toArray()) {
      if (!tolerance.lose(unit)) {
        return -1;
      }
    }
    int further = 0;
    while (further < most && tolerance.bears(further + 1, 0)) {
      further++;
    }
    return further;
  }

  /** Whether any {@code count} more of the units from {@code first} on may be lost. */
  private boolean bears(int count, int first) {
    if (count == 0) {
      return true;
    }
    int before = columns.rank();
    for (int unit = first; unit < code.shape().units(); unit++) {
      if (!lost.contains(unit)) {
        boolean borne = lose(unit) && bears(count - 1, unit + 1);
        columns.truncate(before);
        if (!borne) {
          return false;
        }
      }
    }
    return true;
  }

  /** Adds the unit's columns; whether they are independent of all those before. */
  private boolean lose(int unit) {
    for (int subUnit = 0; subUnit < code.subUnits(); subUnit++) {
      if (!columns.add(code.generator().checkColumn(unit * code.subUnits() + subUnit))) {
        return false;
      }
    }
    return true;
  }
}
