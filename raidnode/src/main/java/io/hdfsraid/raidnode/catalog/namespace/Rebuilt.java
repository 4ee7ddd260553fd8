package io.hdfsraid.raidnode.catalog.namespace;

import java.util.Optional;

/**
 * What building the index anew has come to.
 *
 * @param homeless inodes of the image that are in no directory: only snapshots have them
 * @param remembered files of which the index knew more than the image does: later or more accesses
 * @param drift how far the index had got from what HDFS says; empty when that cannot be told, since
 *     it was new or behind the image
 */
public record Rebuilt(
    long transaction,
    long files,
    long directories,
    long links,
    long homeless,
    long remembered,
    Optional<Drift> drift) {

  /**
   * Files and directories that were not as the image has them, though nothing has happened to them
   * since.
   *
   * @param missing that the index did not know
   * @param extra that it knew, and that are not there
   * @param different of which it knew something else
   */
  public record Drift(long missing, long extra, long different) {}
}
