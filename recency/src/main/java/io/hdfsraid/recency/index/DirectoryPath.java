// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

/**
 * The path of a directory, and what the directories on it pass on to the files below.
 *
 * @param path empty for the root
 * @param snapshots whether a directory on the path has snapshots
 * @param storagePolicy of the nearest directory that has one; 0 if none has
 */
record DirectoryPath(String path, boolean snapshots, int storagePolicy) {}
