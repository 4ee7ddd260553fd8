package io.hdfsraid.raidnode.raid;

import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.Fill;
import java.io.IOException;

/** How full the spaces are that policies are to make room in. */
@FunctionalInterface
public interface Spaces {
  /** Where nobody bounds the space, its total is 0. Of what is leaving it, HDFS does not know. */
  Fill of(CapacityRule rule) throws IOException;
}
