// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.LocatedBlock;
import java.util.Optional;

/**
 * A unit of a stripe: its record in the manifest, and its state on HDFS now.
 *
 * @param unit its number, data first
 * @param length bytes it holds; 0 for an absent unit
 * @param crc CRC32C of its bytes as recorded; 0 for an absent unit
 * @param located its block and replicas; empty for an absent unit. For a {@link UnitState#CHANGED}
 *     unit the block is the recorded one and its replicas are not to be trusted
 */
public record StripeUnit(
    int unit, long length, int crc, Optional<LocatedBlock> located, UnitState state) {}
