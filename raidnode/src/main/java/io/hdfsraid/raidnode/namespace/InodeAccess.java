package io.hdfsraid.raidnode.namespace;

/**
 * Somebody opened a file for reading, and named it by its number.
 *
 * @param at milliseconds since 1970, of the NameNode's clock
 */
public record InodeAccess(long inode, long at) {}
