// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.io.IOException;

/** Reports bad replicas to the NameNode. */
@FunctionalInterface
public interface BadReplicaReports {

  /**
   * Reports one replica as corrupt. The NameNode believes the report without checking it and never
   * takes it back, so the replica must be proven to be bad.
   */
  void report(Block block, Replica replica) throws IOException;
}
