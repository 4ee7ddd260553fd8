package io.hdfsraid.drfs.namespace;

import io.hdfsraid.drfs.block.DataNode;

/**
 * A live DataNode as the NameNode reports it.
 *
 * @param inService false while decommissioning, decommissioned or in maintenance: nothing new is
 *     placed there
 * @param remaining bytes free for HDFS
 * @param used bytes used by HDFS
 */
public record NodeState(DataNode node, boolean inService, long remaining, long used) {}
