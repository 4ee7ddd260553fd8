// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.stripe.LocatedStripe;

/** The decision that a stripe could be rebuilt, but not now. The message says what is missing. */
public record RepairBlocked(LocatedStripe stripe, String message) implements RepairDecision {}
