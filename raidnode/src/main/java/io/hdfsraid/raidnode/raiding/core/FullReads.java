// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.Replica;
import java.util.Map;

/** Receives the replicas that were read in full, and verified, to encode their blocks. */
@FunctionalInterface
public interface FullReads {
  FullReads NONE = read -> {};

  /** Called after each stripe, by several threads. */
  void note(Map<Block, Replica> read);
}
