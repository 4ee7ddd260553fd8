package io.hdfsraid.offline.demo;

import io.hdfsraid.blockfixer.plan.LengthCost;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.offline.recipe.HelperRange;

/**
 * What the codec's recipe for just the units that a stripe loses reads, over the lengths that the
 * units of the stripe really have. Made before anything is broken.
 *
 * @param stripe when it was whole
 * @param bytesRebuilt length of the lost units
 * @param bytesRead from all helpers
 * @param bytesSent by their DataNodes for that: whole chunks of 512 bytes, each with 4 bytes of
 *     checksum
 */
record Promise(
    String path,
    LocatedStripe stripe,
    UnitSet lost,
    long bytesRebuilt,
    long bytesRead,
    long bytesSent) {
  static Promise of(String path, LocatedStripe stripe, UnitSet lost) {
    RebuildRecipe recipe =
        stripe
            .codec()
            .recipe(lost, stripe.available().minus(lost), stripe.cost(new LengthCost(stripe)))
            .orElseThrow();
    long read = 0;
    long sent = 0;
    for (int helper : recipe.helpers().toArray()) {
      long length = stripe.unit(helper).length();
      read += recipe.bytesRead(helper, length, stripe.stripeLength(), stripe.layout());
      for (HelperRange range : HelperRange.of(stripe, helper, recipe)) {
        sent += range.sent(length);
      }
    }
    long rebuilt = lost.stream().mapToLong(unit -> stripe.unit(unit).length()).sum();
    return new Promise(path, stripe, lost, rebuilt, read, sent);
  }

  boolean ofFullStripe() {
    return full(stripe);
  }

  /**
   * All data units are there and of one length, as the table of codecs assumes; parity may be some
   * bytes longer, where that length cannot be cut into the chunks of a row.
   */
  static boolean full(LocatedStripe stripe) {
    long length = stripe.unit(0).length();
    return stripe.units().stream()
        .filter(unit -> !stripe.codec().shape().isParity(unit.unit()))
        .allMatch(unit -> unit.standing() != Standing.ABSENT && unit.length() == length);
  }

  /** In units of the stripe. */
  double blocks(long bytes) {
    return (double) bytes / stripe.stripeLength();
  }
}
