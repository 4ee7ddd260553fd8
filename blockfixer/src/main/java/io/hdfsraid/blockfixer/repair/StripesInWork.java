package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stripes that some task of this process repairs or moves: one stripe, one task. And one lost
 * block, one task: while a group hands over to its successor, a block is in a stripe of each, and
 * both could rebuild it at once. Safe for concurrent use.
 */
public final class StripesInWork {
  private final Set<Object> keys = ConcurrentHashMap.newKeySet();

  private record Stripe(long parityInode, int index) {}

  private record LostBlock(long id) {}

  /** The right to work on a stripe, until it is closed. */
  @FunctionalInterface
  public interface Claim extends AutoCloseable {
    @Override
    void close();
  }

  /** Empty when another task has the stripe, or a block that is lost in it. */
  public Optional<Claim> claim(LocatedStripe stripe) {
    List<Object> wanted = new ArrayList<>();
    wanted.add(new Stripe(stripe.parityInode(), stripe.index()));
    for (StripeUnit unit : stripe.units()) {
      if (unit.standing() == Standing.LOST) {
        unit.located().map(LocatedBlock::block).ifPresent(b -> wanted.add(new LostBlock(b.id())));
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
