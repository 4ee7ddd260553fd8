package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stripes that some task of this process repairs or moves: one stripe, one task. Safe for
 * concurrent use.
 */
public final class StripesInWork {
  private final Set<Key> keys = ConcurrentHashMap.newKeySet();

  private record Key(long parityInode, int index) {}

  /** The right to work on a stripe, until it is closed. */
  @FunctionalInterface
  public interface Claim extends AutoCloseable {
    @Override
    void close();
  }

  /** Empty when another task has the stripe. */
  public Optional<Claim> claim(LocatedStripe stripe) {
    Key key = new Key(stripe.parityInode(), stripe.index());
    return keys.add(key) ? Optional.of(() -> keys.remove(key)) : Optional.empty();
  }
}
