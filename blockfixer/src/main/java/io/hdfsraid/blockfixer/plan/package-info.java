/**
 * Decides how a degraded stripe is repaired: which units are read, where the rebuilt units go, and
 * at what price.
 */
package io.hdfsraid.blockfixer.plan;
