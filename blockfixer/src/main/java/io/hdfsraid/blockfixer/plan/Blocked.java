package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.stripe.LocatedStripe;

/** The stripe could be rebuilt, but nothing may be done now: the message says what is missing. */
public record Blocked(LocatedStripe stripe, String message) implements RepairDecision {}
