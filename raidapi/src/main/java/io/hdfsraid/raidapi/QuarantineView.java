package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.Optional;

/**
 * Retired parity that is kept for a while.
 *
 * @param inode of the file whose parity it was
 * @param path where that file was last seen
 * @param parityPath where the parity is kept
 * @param since when it was retired
 * @param due from when on it may be purged
 * @param bytes on disk, all replicas
 * @param unfit why it cannot be restored; empty when it can
 */
public record QuarantineView(
    long inode,
    String path,
    String parityPath,
    String codec,
    int stripes,
    long bytes,
    Instant since,
    Instant due,
    Optional<String> unfit) {
  public QuarantineView {
    unfit = Absent.toEmpty(unfit);
  }
}
