package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;

/**
 * Where a rebuilt unit goes.
 *
 * @param crc CRC32C that the rebuilt bytes must have
 * @param storageType HDFS's name for the medium
 * @param crowded the node holds another unit of the stripe, or its rack too many, because no better
 *     place was found: the placement audit moves it when there is one
 */
public record PlannedDelivery(
    int unit, Block block, int crc, DataNode target, String storageType, boolean crowded) {}
