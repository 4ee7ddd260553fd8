// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.stripe.StripeComposer;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import java.util.List;
import java.util.Optional;

/**
 * The expected result of raiding a file.
 *
 * @param refused why it would be left alone
 * @param detail for a person
 * @param bytesToRead from DataNodes
 * @param bytesToWrite to DataNodes, all replicas of the parity
 * @param bytesFreed on disks in the end
 */
public record Forecast(
    Optional<Reason> refused, String detail, long bytesToRead, long bytesToWrite, long bytesFreed) {

  public static Forecast of(
      List<Block> blocks, int replication, ErasureCodec codec, Protection protection) {
    List<List<Integer>> stripes = StripeComposer.compose(blocks.size(), codec.shape().dataUnits());
    long parity = 0;
    for (List<Integer> places : stripes) {
      long longest = places.stream().mapToLong(at -> blocks.get(at).length()).max().orElse(0);
      parity += codec.parityLength(longest) * codec.shape().parityUnits();
    }
    long length = blocks.stream().mapToLong(Block::length).sum();
    long written = parity * protection.parityReplication();
    return new Forecast(
        Optional.empty(),
        "Encode %d blocks in %d stripes with %s, then lower the replication from %d to %d"
            .formatted(
                blocks.size(),
                stripes.size(),
                codec.name(),
                replication,
                protection.targetReplication()),
        length,
        written,
        length * (replication - protection.targetReplication()) - written);
  }

  public static Forecast refused(LeftAlone left) {
    return new Forecast(Optional.of(left.reason()), left.getMessage(), 0, 0, 0);
  }
}
