/**
 * Decides how a degraded stripe is repaired, where its units go, at what price, and which stripe
 * comes first.
 */
package io.hdfsraid.blockfixer.plan;
