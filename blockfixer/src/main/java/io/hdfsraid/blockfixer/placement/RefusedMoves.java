package io.hdfsraid.blockfixer.placement;

import io.hdfsraid.drfs.block.Block;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers which moves DataNodes have refused, so that they are not asked for again and again: a
 * pinned block, a volume that is full, too many moves at once. Each refusal doubles the time until
 * the next attempt, from a minute up to a day. Remembers the last {@link #MOST} blocks; what is
 * forgotten is tried once more. Safe for concurrent use.
 */
public final class RefusedMoves {
  static final int MOST = 100_000;
  private static final Duration FIRST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int DOUBLINGS = 11;

  private final InstantSource clock;
  private final Map<Long, Refusal> refusals = new LinkedHashMap<>();

  /**
   * A refusal.
   *
   * @param times how often in a row
   * @param reason in the words of the DataNode
   * @param until when it may be tried again
   */
  public record Refusal(int times, String reason, Instant until) {}

  public RefusedMoves(InstantSource clock) {
    this.clock = clock;
  }

  /** The move of this block was refused once more. */
  public synchronized Refusal refused(Block block, String reason) {
    int times = Optional.ofNullable(refusals.remove(block.id())).map(Refusal::times).orElse(0) + 1;
    Duration pause = FIRST.multipliedBy(1L << Math.min(DOUBLINGS, times - 1));
    Refusal refusal =
        new Refusal(
            times, reason, clock.instant().plus(pause.compareTo(LONGEST) < 0 ? pause : LONGEST));
    refusals.put(block.id(), refusal);
    if (refusals.size() > MOST) {
      refusals.remove(refusals.keySet().iterator().next());
    }
    return refusal;
  }

  /** It was moved after all. */
  public synchronized void moved(Block block) {
    refusals.remove(block.id());
  }

  /** The refusal that still counts; empty when the block may be moved. */
  public synchronized Optional<Refusal> of(Block block) {
    return Optional.ofNullable(refusals.get(block.id()))
        .filter(refusal -> clock.instant().isBefore(refusal.until()));
  }
}
