package io.hdfsraid.raidnode.catalog.namespace;

/**
 * The way from the root to a directory, and what those on it pass on to the files below.
 *
 * @param path empty for the root
 * @param snapshots whether there are snapshots of a directory on it
 * @param storagePolicy of the nearest that has one; 0 where none has
 */
record Trail(String path, boolean snapshots, int storagePolicy) {}
