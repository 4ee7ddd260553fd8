// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Tells whether so many stripes wait for their repair that the start of containers does not count,
 * as after the loss of a node or a rack. Used by one thread at a time.
 */
public final class BulkRepairs {
  /** Bulk work ends at so small a part of the number at which it began. */
  private static final int END = 4;

  private final LongSupplier stripes;
  private final IntSupplier from;
  private final Consumer<Boolean> bulk;
  private boolean now;

  /**
   * @param stripes the number of stripes whose repair waits or runs
   * @param from the number of stripes at which bulk work begins; may change at any time
   * @param bulk told of each look
   */
  public BulkRepairs(LongSupplier stripes, IntSupplier from, Consumer<Boolean> bulk) {
    this.stripes = stripes;
    this.from = from;
    this.bulk = bulk;
  }

  /** Looks at the number of repairs that wait or run. */
  public void look() {
    long wait = stripes.getAsLong();
    int begin = from.getAsInt();
    now = wait >= begin || (now && wait > begin / END);
    bulk.accept(now);
  }
}
