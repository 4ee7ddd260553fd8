package io.hdfsraid.raidnode.namespace;

/**
 * Somebody opened a file for reading.
 *
 * @param at milliseconds since 1970, of the NameNode's clock
 */
public record Access(String path, long at) {}
