// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.Replica;
import java.util.List;

/**
 * The result of encoding a stripe whose parity has been written and closed.
 *
 * @param dataCrcs CRC32C of the data units, in order
 * @param parityCrcs CRC32C of the parity units, in order
 * @param readFrom the replica from which the last byte of each data unit was read; all bytes came
 *     from it unless the unit is in {@code failed} with an offset above 0. Empty if that is not
 *     known
 * @param failed replicas that could not be read
 * @param times times of the thread that encoded the stripe
 */
public record EncodedStripe(
    List<Integer> dataCrcs,
    List<Integer> parityCrcs,
    List<Replica> readFrom,
    List<FailedReplica> failed,
    EncodingTimes times) {
  public EncodedStripe {
    dataCrcs = List.copyOf(dataCrcs);
    parityCrcs = List.copyOf(parityCrcs);
    readFrom = List.copyOf(readFrom);
    failed = List.copyOf(failed);
  }
}
