// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.erasurecode.codes;

import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.algebra.Gf256;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Finds the cheapest units to read for a code that is not MDS. For such a code the cheapest
 * independent units are not always the cheapest to read together: in an LRC a local parity can
 * replace several data units of its group.
 *
 * <p>Seen from the units that are <em>not</em> read: the lost units are determined by the rest
 * exactly when their columns of the parity-check matrix are independent of each other and of the
 * columns of all units not read. So a subspace is sought which keeps the lost columns independent
 * and holds the dearest set of columns. Each is spanned by a few columns (fewer than the code has
 * parity units), so all of them can be tried: some thousand for the LRCs here.
 */
final class CheapestHelpers {
  private final int subUnits;
  private final int[] lost;
  private final int[] available;
  private final ReadCost cost;
  private double mostSpared = -1;
  private UnitSet spared = UnitSet.none();

  private CheapestHelpers(LinearCode code, UnitSet lost, UnitSet available, ReadCost cost) {
    this.subUnits = code.subUnits();
    this.lost = lost.toArray();
    this.available = available.toArray();
    this.cost = cost;
  }

  /** Only for lost units that the available ones determine. */
  static UnitSet find(LinearCode code, UnitSet lost, UnitSet available, ReadCost cost) {
    int[][] columns = new int[code.chunks()][];
    Arrays.setAll(columns, code.generator()::checkColumn);
    CheapestHelpers search = new CheapestHelpers(code, lost, available, cost);
    for (int unit : UnitSet.all(code.shape()).minus(lost).minus(available).toArray()) {
      columns = search.modulo(columns, unit);
    }
    search.leaveOutFrom(0, columns);
    return available.minus(search.spared);
  }

  /**
   * Leaves out more units, in ascending order.
   *
   * @param columns of every chunk, modulo those of the units left out so far: a unit all of whose
   *     columns are 0 need not be read either
   */
  private void leaveOutFrom(int first, int[][] columns) {
    BitSet sparable = new BitSet();
    double sum = 0;
    for (int unit : available) {
      if (isZero(columns, unit)) {
        sparable.set(unit);
        sum += cost.perByte(unit);
      }
    }
    if (sum > mostSpared) {
      mostSpared = sum;
      spared = UnitSet.of(sparable.stream());
    }
    for (int i = first; i < available.length; i++) {
      if (!sparable.get(available[i])) {
        int[][] rest = modulo(columns, available[i]);
        if (lostAreIndependent(rest)) {
          leaveOutFrom(i + 1, rest);
        }
      }
    }
  }

  private boolean isZero(int[][] columns, int unit) {
    for (int subUnit = 0; subUnit < subUnits; subUnit++) {
      if (firstNonZero(columns[unit * subUnits + subUnit]) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Eliminates the columns of the given unit from all columns. */
  private int[][] modulo(int[][] columns, int unit) {
    int[][] rest = columns;
    for (int subUnit = 0; subUnit < subUnits; subUnit++) {
      rest = eliminated(rest, rest[unit * subUnits + subUnit]);
    }
    return rest;
  }

  /** Unchanged columns are shared with the given array. */
  private static int[][] eliminated(int[][] columns, int[] column) {
    int pivot = firstNonZero(column);
    if (pivot < 0) {
      return columns;
    }
    int inverse = Gf256.inverse(column[pivot]);
    int[][] rest = columns.clone();
    for (int i = 0; i < rest.length; i++) {
      if (rest[i][pivot] != 0) {
        int factor = Gf256.multiply(rest[i][pivot], inverse);
        rest[i] = rest[i].clone();
        Gf256.addMultiple(rest[i], factor, column);
      }
    }
    return rest;
  }

  private boolean lostAreIndependent(int[][] columns) {
    int[][] rest = columns;
    for (int i = 0; i < lost.length * subUnits; i++) {
      int[] column = rest[lost[i / subUnits] * subUnits + i % subUnits];
      if (firstNonZero(column) < 0) {
        return false;
      }
      if (i < lost.length * subUnits - 1) {
        rest = eliminated(rest, column);
      }
    }
    return true;
  }

  private static int firstNonZero(int[] column) {
    for (int i = 0; i < column.length; i++) {
      if (column[i] != 0) {
        return i;
      }
    }
    return -1;
  }
}
