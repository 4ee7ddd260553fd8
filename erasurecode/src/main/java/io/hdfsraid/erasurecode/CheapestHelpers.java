package io.hdfsraid.erasurecode;

import java.util.Arrays;

/**
 * The exact answer to which units to read for a code that is not MDS, where the cheapest
 * independent units are not always the cheapest way: in an LRC a local parity can stand for several
 * data units of its group.
 *
 * <p>Seen from the units that are <em>not</em> read: the lost units are determined by the rest
 * exactly when their columns of the parity-check matrix are independent of each other and of the
 * columns of all units not read. So a subspace is sought which keeps the lost columns independent
 * and holds the dearest set of columns. Each is spanned by a few columns (fewer than the code has
 * parity units), so all of them can be tried: some thousand for the LRCs here.
 */
final class CheapestHelpers {
  private final LinearCode code;
  private final UnitSet lost;
  private final int[] available;
  private final ReadCost cost;
  private final Span unread;
  private double mostSpared = -1;
  private UnitSet spared = UnitSet.none();

  private CheapestHelpers(LinearCode code, UnitSet lost, UnitSet available, ReadCost cost) {
    this.code = code;
    this.lost = lost;
    this.available = available.toArray();
    this.cost = cost;
    this.unread = new Span(code.parity().rows());
  }

  /** Only for lost units that the available ones determine. */
  static UnitSet find(LinearCode code, UnitSet lost, UnitSet available, ReadCost cost) {
    CheapestHelpers search = new CheapestHelpers(code, lost, available, cost);
    UnitSet.all(code.shape()).minus(lost).minus(available).stream().forEach(search::leaveOut);
    search.leaveOutFrom(0);
    return available.minus(search.spared);
  }

  private void leaveOutFrom(int first) {
    UnitSet sparable = UnitSet.of(Arrays.stream(available).filter(this::isSpared));
    double sum = sparable.stream().mapToDouble(cost::perByte).sum();
    if (sum > mostSpared) {
      mostSpared = sum;
      spared = sparable;
    }
    int rank = unread.rank();
    for (int i = first; i < available.length; i++) {
      if (!sparable.contains(available[i])) {
        leaveOut(available[i]);
        if (lostAreDetermined()) {
          leaveOutFrom(i + 1);
        }
        unread.truncate(rank);
      }
    }
  }

  private void leaveOut(int unit) {
    for (int subUnit = 0; subUnit < code.subUnits(); subUnit++) {
      unread.add(column(unit, subUnit));
    }
  }

  private boolean isSpared(int unit) {
    for (int subUnit = 0; subUnit < code.subUnits(); subUnit++) {
      if (!unread.contains(column(unit, subUnit))) {
        return false;
      }
    }
    return true;
  }

  private boolean lostAreDetermined() {
    int rank = unread.rank();
    lost.stream().forEach(this::leaveOut);
    boolean determined = unread.rank() == rank + lost.size() * code.subUnits();
    unread.truncate(rank);
    return determined;
  }

  private int[] column(int unit, int subUnit) {
    return code.checkColumn(unit * code.subUnits() + subUnit);
  }
}
