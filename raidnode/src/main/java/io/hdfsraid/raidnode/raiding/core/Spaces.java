// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import java.io.IOException;

/** Tells how full the spaces are in which policies should make room. */
@FunctionalInterface
public interface Spaces {
  /**
   * Returns the usage of the space; the total is 0 if the space has no bound. HDFS does not know
   * what is about to leave the space.
   */
  SpaceUsage of(CapacityRule rule) throws IOException;
}
