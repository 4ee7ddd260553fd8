// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.quarantine;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.Optional;

/**
 * Retired parity that is kept for a while.
 *
 * @param inode inode id of the file that it protected
 * @param path last known path of this file
 * @param parityPath where the parity is kept
 * @param since when it was retired
 * @param due when it may be purged
 * @param bytes bytes on disk, all replicas
 * @param unfit why it cannot be restored; empty if it can
 */
public record QuarantinedParity(
    long inode,
    String path,
    String parityPath,
    String codec,
    int stripes,
    long bytes,
    Instant since,
    Instant due,
    Optional<String> unfit) {
  public QuarantinedParity {
    unfit = Absent.toEmpty(unfit);
  }
}
