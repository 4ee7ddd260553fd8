// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.repair;

import io.hdfsraid.bench.codec.Cell;
import io.hdfsraid.bench.codec.ChunkedCodec;
import io.hdfsraid.erasurecode.ErasureCodec;
import java.util.List;

/**
 * A code whose repairs are measured.
 *
 * @param label that its rows begin with: the name of the codec, and c where it is not the usual one
 * @param codec with which its files are raided
 * @param kills how many DataNodes die, event after event
 */
record RepairCandidate(String label, ErasureCodec codec, List<Integer> kills) {
  RepairCandidate {
    kills = List.copyOf(kills);
  }

  /** With c as the library has it. */
  static RepairCandidate of(ErasureCodec codec, List<Integer> kills) {
    return new RepairCandidate(codec.name(), codec, kills);
  }

  /** The same in rows of other chunks, for which it is enough to see single DataNodes die. */
  RepairCandidate chunked(Cell chunk) {
    return new RepairCandidate(
        "%s c=%s".formatted(label, chunk.label()),
        new ChunkedCodec(codec, chunk.bytes()),
        kills.stream().filter(nodes -> nodes == 1).toList());
  }
}
