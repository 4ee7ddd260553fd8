package io.hdfsraid.raidnode.catalog.namespace;

/**
 * What became of events or accesses.
 *
 * @param known those that fitted what the index knew
 * @param unknown those about entries, or below directories, that it did not know: drift, which only
 *     HDFS itself can mend
 * @param repeated those that it had taken in before
 */
public record Applied(int known, int unknown, int repeated) {}
