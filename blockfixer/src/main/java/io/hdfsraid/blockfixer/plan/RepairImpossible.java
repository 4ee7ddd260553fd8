// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.stripe.LocatedStripe;

/**
 * The decision that the remaining units of a stripe do not determine the lost ones. The repair is
 * tried again when a node returns.
 *
 * @param message with the arithmetic
 */
public record RepairImpossible(LocatedStripe stripe, String message) implements RepairDecision {}
