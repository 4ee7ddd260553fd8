// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.stripe.StripeComposer;
import io.hdfsraid.erasurecode.ErasureCodec;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Composes stripes from the blocks of a group. Long blocks go together, because parity is as long
 * as the longest unit of its stripe.
 */
public final class GroupStripes {
  /**
   * Bounds what a change of one member costs: all blocks of its group are read again. More stripes
   * would save next to nothing, only inodes of parity files: one for each group.
   */
  public static final int MOST = 8;

  private GroupStripes() {}

  /** Stripes of at most {@code dataUnits} blocks, whose sizes differ by at most one. */
  public static <B> List<List<B>> compose(List<B> blocks, ToLongFunction<B> length, int dataUnits) {
    // Stable: blocks of one length stay in the order of their files, which keeps manifests short.
    List<B> longestFirst =
        blocks.stream().sorted(Comparator.comparingLong(length).reversed()).toList();
    return StripeComposer.compose(longestFirst.size(), dataUnits).stream()
        .map(places -> places.stream().map(longestFirst::get).toList())
        .toList();
  }

  /** Bytes of one replica of the parity of blocks of these lengths. */
  public static long parityBytes(List<Long> lengths, ErasureCodec codec) {
    return compose(lengths, length -> length, codec.shape().dataUnits()).stream()
        .mapToLong(stripe -> codec.parityLength(stripe.get(0)) * codec.shape().parityUnits())
        .sum();
  }
}
