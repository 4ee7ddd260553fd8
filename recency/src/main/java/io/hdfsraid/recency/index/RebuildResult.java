// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import java.util.Optional;

/**
 * The result of a rebuild of the index.
 *
 * @param snapshotOnly inodes of the image that are in no directory, because only snapshots hold
 *     them
 * @param remembered files of which the index knew later or more accesses than the image
 * @param drift how far the index had drifted from HDFS; empty if the index was new or behind the
 *     image, so that it cannot be compared
 */
public record RebuildResult(
    long transaction,
    long files,
    long directories,
    long links,
    long snapshotOnly,
    long remembered,
    Optional<Drift> drift) {

  /**
   * Files and directories that differed from the image although no later event concerns them.
   *
   * @param missing how many the index did not know
   * @param extra how many the index knew that do not exist
   * @param different how many had other attributes
   */
  public record Drift(long missing, long extra, long different) {}
}
