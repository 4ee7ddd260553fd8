// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.manifest;

import io.hdfsraid.drfs.block.Block;

/**
 * A data unit of a stripe.
 *
 * @param member index into the manifest's members
 * @param block the exact block: id, generation stamp and length at encoding
 * @param crc CRC32C of its bytes at encoding
 */
public record DataUnit(int member, Block block, int crc) {}
