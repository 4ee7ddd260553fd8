// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

/**
 * The changes of the index by a listing of the namespace. Entries are files, directories and links.
 *
 * @param directories how many directories were listed
 * @param entries how many entries they contained
 * @param added entries that the index did not know
 * @param identified entries whose inode id the index did not know
 * @param changed entries whose attributes had changed
 * @param moved entries that the index knew in another place
 * @param removed entries that were not found any more, not counting those below them
 */
public record ListingResult(
    long directories,
    long entries,
    long added,
    long identified,
    long changed,
    long moved,
    long removed) {}
