// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.drfs.stripe.StripeComposer;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.ParityEstimate;
import java.util.OptionalLong;

/**
 * Estimates the parity of a file of full blocks and a tail, by composing the stripes that raiding
 * would compose.
 */
public final class CodecEstimate implements ParityEstimate {
  @Override
  public OptionalLong shareOfGroup(String codec, long length, int blocks) {
    StripeShape shape = Codecs.parse(codec).shape();
    return blocks >= shape.dataUnits()
        ? OptionalLong.empty()
        : OptionalLong.of(
            Math.floorDiv(
                    Math.multiplyExact(length, (long) shape.parityUnits()) - 1,
                    (long) shape.dataUnits())
                + 1);
  }

  /** Inodes and blocks of parity for a file; of one that shares it, its part of the blocks. */
  public static long parityObjects(String codec, int blocks) {
    StripeShape shape = Codecs.parse(codec).shape();
    int k = shape.dataUnits();
    return blocks < k
        ? (blocks * shape.parityUnits() + k - 1) / k
        : 1 + (long) StripeComposer.compose(blocks, k).size() * shape.parityUnits();
  }

  @Override
  public long parityBytes(String codec, long length, long blockSize) {
    ErasureCodec code = Codecs.parse(codec);
    int k = code.shape().dataUnits();
    int blocks = Math.toIntExact((length + blockSize - 1) / blockSize);
    long stripes = StripeComposer.compose(blocks, k).size();
    long tail = length - (blocks - 1) * blockSize;
    // Only the last stripe can be short, and only when its tail is all it has.
    boolean tailAlone = blocks == 1;
    long longest = tailAlone ? tail : blockSize;
    return stripes * code.parityLength(longest) * code.shape().parityUnits();
  }
}
