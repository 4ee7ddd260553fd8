// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.util.OptionalLong;

/**
 * The most that one run of a policy may raid; empty means no limit.
 *
 * @param bytes of the files, each counted once, whatever its replication
 */
public record Budget(OptionalLong bytes, OptionalLong files) {
  public static final Budget NONE = new Budget(OptionalLong.empty(), OptionalLong.empty());

  public Budget {
    if (bytes.orElse(1) < 1 || files.orElse(1) < 1) {
      throw new IllegalArgumentException(
          "A budget must be above 0, but is %s bytes, %s files".formatted(bytes, files));
    }
  }

  /**
   * Whether a run that has taken on so much may take on one more file. The first file of a run is
   * always allowed, so that one that is larger than the budget is raided some day.
   */
  public boolean allows(long takenBytes, long takenFiles, long nextBytes) {
    return takenFiles == 0
        || (takenFiles < files.orElse(Long.MAX_VALUE)
            && nextBytes <= bytes.orElse(Long.MAX_VALUE) - takenBytes);
  }
}
