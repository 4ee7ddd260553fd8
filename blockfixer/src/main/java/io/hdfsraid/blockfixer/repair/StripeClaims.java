// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The exclusive claims of this process's tasks on stripes: one task repairs or moves a stripe at a
 * time. Also each lost block has one task at a time: while a group hands over to its successor, a
 * block is in a stripe of each, and both repairs could rebuild it. Safe for concurrent use.
 */
public final class StripeClaims {
  private final Set<Object> keys = ConcurrentHashMap.newKeySet();

  private record StripeClaim(long parityInode, int index) {}

  private record BlockClaim(long id) {}

  /** An exclusive claim on a stripe, until it is closed. */
  @FunctionalInterface
  public interface Claim extends AutoCloseable {
    @Override
    void close();
  }

  /** Claims a stripe; empty if another task has claimed the stripe or a lost block of it. */
  public Optional<Claim> claim(LocatedStripe stripe) {
    List<Object> wanted = new ArrayList<>();
    wanted.add(new StripeClaim(stripe.parityInode(), stripe.index()));
    for (StripeUnit unit : stripe.units()) {
      if (unit.state() == UnitState.LOST) {
        unit.located().map(LocatedBlock::block).ifPresent(b -> wanted.add(new BlockClaim(b.id())));
      }
    }
    List<Object> taken = new ArrayList<>();
    for (Object key : wanted) {
      if (!keys.add(key)) {
        taken.forEach(keys::remove);
        return Optional.empty();
      }
      taken.add(key);
    }
    return Optional.of(() -> taken.forEach(keys::remove));
  }
}
