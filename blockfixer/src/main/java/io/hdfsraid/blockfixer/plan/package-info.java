/** Decides how a degraded stripe is repaired, at what price, and which stripe comes first. */
package io.hdfsraid.blockfixer.plan;
