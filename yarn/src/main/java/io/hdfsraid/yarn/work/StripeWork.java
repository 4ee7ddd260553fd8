// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import java.util.List;

/**
 * A stripe that a container is to encode.
 *
 * @param order names the draft in this job
 * @param directory the directory of the draft, into which the container writes
 * @param stripe position in the draft, from 0
 * @param codec name of the codec
 * @param data the data units, 1 to k of them
 * @param favoured for each parity unit the address, {@code ip:port}, of the node for it
 * @param parityLength length of each parity unit in bytes
 */
public record StripeWork(
    int order,
    String directory,
    int stripe,
    String codec,
    List<Source> data,
    List<String> favoured,
    long parityLength) {
  public StripeWork {
    data = List.copyOf(data);
    favoured = List.copyOf(favoured);
  }

  /** Returns the same work with the number of its draft in a job. */
  public StripeWork numbered(int number) {
    return new StripeWork(number, directory, stripe, codec, data, favoured, parityLength);
  }

  /** Returns the same work with other sources, such as those with tokens. */
  public StripeWork from(List<Source> sources) {
    return new StripeWork(order, directory, stripe, codec, sources, favoured, parityLength);
  }

  /** Returns the bytes of the data units. */
  public long bytes() {
    return data.stream().mapToLong(unit -> unit.block().length()).sum();
  }

  /**
   * A data unit.
   *
   * @param replicas best first, if they are equally near
   * @param token the right to read this block, as HDFS encodes it in an address; empty if the
   *     cluster does not use tokens
   */
  public record Source(Block block, List<Replica> replicas, String token) {
    public Source {
      replicas = List.copyOf(replicas);
    }

    /** Returns the block with its replicas, all of which were good when the work was made. */
    public LocatedBlock located() {
      return new LocatedBlock(block, replicas, List.of());
    }
  }
}
