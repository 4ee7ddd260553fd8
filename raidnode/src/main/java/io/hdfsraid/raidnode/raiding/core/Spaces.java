package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import java.io.IOException;

/** Tells how full the spaces are in which policies should make room. */
@FunctionalInterface
public interface Spaces {
  /** Where nobody bounds the space, its total is 0. Of what is leaving it, HDFS does not know. */
  SpaceUsage of(CapacityRule rule) throws IOException;
}
