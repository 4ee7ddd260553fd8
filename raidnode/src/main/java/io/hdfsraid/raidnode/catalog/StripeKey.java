package io.hdfsraid.raidnode.catalog;

/**
 * A stripe, wherever it lies.
 *
 * @param parityInode inode id of the parity file
 * @param index of the stripe in it
 */
public record StripeKey(long parityInode, int index) {
  @Override
  public String toString() {
    return "stripe %d of parity inode %d".formatted(index, parityInode);
  }
}
