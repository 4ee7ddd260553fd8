package io.hdfsraid.blockfixer.detect;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;
import java.util.Optional;

/** What the NameNode shows, at this moment, of the block of a unit. Safe for concurrent use. */
@FunctionalInterface
public interface BlockView {

  /**
   * The block of a unit and its replicas as they are now.
   *
   * @return empty when the recorded block, with the recorded generation stamp and length, is not
   *     part of its file any more: then nothing may be delivered for it, moved or reported
   */
  Optional<LocatedBlock> now(LocatedStripe stripe, int unit) throws IOException;
}
