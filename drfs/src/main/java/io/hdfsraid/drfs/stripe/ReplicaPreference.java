// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import java.util.List;

/** The order in which the replicas of a block are tried. */
@FunctionalInterface
public interface ReplicaPreference {
  /** Returns the live replicas of the block that may be read, best first. */
  List<Replica> order(LocatedBlock block);
}
