// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import java.util.Optional;

/**
 * The number of files in an evaluation on which the policies decide alike. Files with records of
 * their own in the catalog are not counted.
 *
 * @param policy that decided; empty when none did
 * @param reason why they are left; empty for candidates
 * @param bytes of the contents
 * @param physicalBytes of all replicas, as the replication says
 * @param bytesAfter what candidates would occupy, parity and all; as much as now for what is left
 * @param objects inodes and blocks of parity that the NameNode would have to remember
 */
public record EvaluationLine(
    String policy,
    Optional<Reason> reason,
    long files,
    long bytes,
    long physicalBytes,
    long bytesAfter,
    long objects) {

  /** What replaces what in totals. */
  Total total() {
    return new Total(
        reason.isPresent() ? FileState.LEFT : FileState.CANDIDATE,
        reason,
        files,
        bytes,
        physicalBytes,
        0,
        physicalBytes);
  }
}
