package io.hdfsraid.offline.bench;

import io.hdfsraid.erasurecode.ErasureCodec;
import java.util.List;

/**
 * A code whose repairs are measured.
 *
 * @param label that its rows begin with: the name of the codec, and c where it is not the usual one
 * @param codec with which its files are raided
 * @param kills how many DataNodes die, event after event
 */
record RepairContestant(String label, ErasureCodec codec, List<Integer> kills) {
  RepairContestant {
    kills = List.copyOf(kills);
  }

  /** With c as the library has it. */
  static RepairContestant of(ErasureCodec codec, List<Integer> kills) {
    return new RepairContestant(codec.name(), codec, kills);
  }

  /** The same in rows of other chunks, for which it is enough to see single DataNodes die. */
  RepairContestant chunked(Cell chunk) {
    return new RepairContestant(
        "%s c=%s".formatted(label, chunk.label()),
        new ChunkedCodec(codec, chunk.bytes()),
        kills.stream().filter(nodes -> nodes == 1).toList());
  }
}
