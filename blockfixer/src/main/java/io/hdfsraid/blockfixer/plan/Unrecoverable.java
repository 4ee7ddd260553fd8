package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.stripe.LocatedStripe;

/**
 * What is left of the stripe does not determine what is lost. Tried again when a node returns.
 *
 * @param message with the arithmetic
 */
public record Unrecoverable(LocatedStripe stripe, String message) implements RepairDecision {}
