// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

/**
 * The result of applying events or accesses.
 *
 * @param known how many concerned entries that the index knew
 * @param unknown how many concerned unknown entries or directories: the index has drifted from
 *     HDFS, which only an image or a listing can repair
 * @param repeated how many had been applied before
 */
public record ApplyResult(int known, int unknown, int repeated) {}
