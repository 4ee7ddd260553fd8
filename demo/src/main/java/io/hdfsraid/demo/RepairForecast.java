// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import io.hdfsraid.blockfixer.plan.HelperRange;
import io.hdfsraid.blockfixer.plan.LengthCost;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;

/**
 * The bytes that the repair of a stripe should read, computed from the codec's recipe for the lost
 * units and from the lengths of the units, before anything is broken.
 *
 * @param path a file of the stripe
 * @param stripe the whole stripe
 * @param bytesRebuilt the length of the lost units
 * @param bytesRead the bytes read from all helpers
 * @param bytesSent the bytes that their DataNodes send for that: whole chunks of 512 bytes, each
 *     with 4 bytes of checksum
 */
record RepairForecast(
    String path,
    LocatedStripe stripe,
    UnitSet lost,
    long bytesRebuilt,
    long bytesRead,
    long bytesSent) {
  static RepairForecast of(String path, LocatedStripe stripe, UnitSet lost) {
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
    return new RepairForecast(path, stripe, lost, rebuilt, read, sent);
  }

  /**
   * Returns whether all data units are there and have one length, as the table of codecs assumes.
   * Parity may be some bytes longer, if that length cannot be cut into the chunks of a row.
   */
  static boolean isFull(LocatedStripe stripe) {
    long length = stripe.unit(0).length();
    return stripe.units().stream()
        .filter(unit -> !stripe.codec().shape().isParity(unit.unit()))
        .allMatch(unit -> unit.state() != UnitState.ABSENT && unit.length() == length);
  }
}
