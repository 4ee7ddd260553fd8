// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import java.util.Comparator;

/**
 * The identity of a stripe, independent of where its units lie.
 *
 * @param parityInode inode id of the parity file
 * @param index of the stripe in it
 */
public record StripeKey(long parityInode, int index) implements Comparable<StripeKey> {
  private static final Comparator<StripeKey> ORDER =
      Comparator.comparingLong(StripeKey::parityInode).thenComparingInt(StripeKey::index);

  @Override
  public int compareTo(StripeKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "stripe %d of parity inode %d".formatted(index, parityInode);
  }
}
