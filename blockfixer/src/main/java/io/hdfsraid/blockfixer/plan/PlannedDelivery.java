// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;

/**
 * The planned target of a rebuilt unit.
 *
 * @param crc CRC32C that the rebuilt bytes must have
 * @param storageType HDFS's name for the medium
 * @param crowded whether the node holds another unit of the stripe, or its rack too many, because
 *     no better node was found. The placement audit moves the unit later
 */
public record PlannedDelivery(
    int unit, Block block, int crc, DataNode target, String storageType, boolean crowded) {}
