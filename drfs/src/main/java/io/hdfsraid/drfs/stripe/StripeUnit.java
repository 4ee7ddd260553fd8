package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.LocatedBlock;
import java.util.Optional;

/**
 * A unit of a stripe: what the manifest says it is, and how it stands on HDFS now.
 *
 * @param unit its number, data first
 * @param length bytes it holds; 0 for an absent unit
 * @param crc CRC32C of its bytes as recorded; 0 for an absent unit
 * @param located its block and replicas; empty for an absent unit. For a {@link Standing#CHANGED}
 *     unit the block is the recorded one and its replicas are not to be trusted
 */
public record StripeUnit(
    int unit, long length, int crc, Optional<LocatedBlock> located, Standing standing) {

  /** How a unit stands. */
  public enum Standing {
    /** Zeros by definition: reading it costs nothing and it cannot be lost. */
    ABSENT,
    /** The recorded block has a replica that is not known to be bad. */
    LIVE,
    /** The recorded block is still the file's, and no good replica of it is known. */
    LOST,
    /**
     * The recorded block is not, or not as recorded, part of the file any more: nothing may be read
     * from it, delivered for it or concluded from it.
     */
    CHANGED
  }
}
