// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.work;

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
public record EncodeWork(
    int order,
    String directory,
    int stripe,
    String codec,
    List<Source> data,
    List<String> favoured,
    long parityLength)
    implements Work {
  public EncodeWork {
    data = List.copyOf(data);
    favoured = List.copyOf(favoured);
  }

  @Override
  public EncodeWork numbered(int number) {
    return new EncodeWork(number, directory, stripe, codec, data, favoured, parityLength);
  }

  /** Returns the same work with other sources, such as those with tokens. */
  public EncodeWork from(List<Source> sources) {
    return new EncodeWork(order, directory, stripe, codec, sources, favoured, parityLength);
  }

  @Override
  public long bytes() {
    return data.stream().mapToLong(unit -> unit.block().length()).sum();
  }

  @Override
  public int streams() {
    return data.size() + favoured.size();
  }

  @Override
  public List<Held> held() {
    return data.stream().map(Source::held).toList();
  }
}
