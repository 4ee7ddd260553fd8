// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import java.util.List;

/**
 * The files of this product below the root of the parity, counted from a listing.
 *
 * @param root whether the root exists
 * @param committed parity files in service, of files and of groups
 * @param quarantined parity files that are kept for a while
 * @param drafts parity being written, or left over from a crash
 * @param foreign paths that do not belong to this product and are never deleted; at most {@value
 *     #MOST_FOREIGN}
 * @param foreignEntries number of such paths
 */
public record Footprint(
    boolean root,
    long committed,
    long quarantined,
    long drafts,
    List<String> foreign,
    long foreignEntries) {
  /** The maximum number of foreign paths that are named. */
  public static final int MOST_FOREIGN = 20;

  /** No files at all, not even the root. */
  public static final Footprint NONE = new Footprint(false, 0, 0, 0, List.of(), 0);

  public Footprint {
    foreign = List.copyOf(foreign);
  }

  /** Whether the root holds only directories of this product, so that it may be removed. */
  public boolean onlyDirectories() {
    return committed == 0 && quarantined == 0 && drafts == 0 && foreignEntries == 0;
  }
}
