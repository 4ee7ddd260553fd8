package io.hdfsraid.blockfixer.detect;

/**
 * A block that the NameNode lists as lost.
 *
 * @param path where the NameNode says it belongs; can be stale (a block held only by a snapshot is
 *     listed under its old path), so the block id alone is evidence
 */
public record LostBlock(long blockId, String path) {}
