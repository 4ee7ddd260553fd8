// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import io.hdfsraid.blockfixer.placement.KeptReplicaForecast;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The stripes of one draft, which are encoded together.
 *
 * @param policy the storage policy of the data
 * @param kept foretells which replicas will stay; those are read first
 * @param draft receives the parity units
 */
public record EncodingOrder(
    ErasureCodec codec,
    StoragePolicy policy,
    KeptReplicaForecast kept,
    ParityDraft draft,
    List<StripeOrder> stripes) {
  public EncodingOrder {
    stripes = List.copyOf(stripes);
  }

  /** Returns the layout that the manifest records. */
  public RowLayout layout() {
    return codec.layout();
  }

  /**
   * One stripe of a draft.
   *
   * @param index its position in the draft, from 0
   * @param data its data units, 1 to k of them
   * @param favoured the node for each of the m parity units
   * @param parityLength the length of each parity unit in bytes
   */
  public record StripeOrder(
      int index, List<LocatedBlock> data, List<DataNode> favoured, long parityLength) {
    public StripeOrder {
      data = List.copyOf(data);
      favoured = List.copyOf(favoured);
    }

    /** Starts a parity unit of this stripe in the draft of its order, on the node for it. */
    public UnitOutput create(EncodingOrder order, int parity) throws IOException {
      return order
          .draft()
          .create(
              index * favoured.size() + parity, Optional.of(favoured.get(parity)), parityLength);
    }
  }
}
