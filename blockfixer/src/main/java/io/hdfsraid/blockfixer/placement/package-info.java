/** Keeps the units of a stripe on nodes of their own and spread over racks. */
package io.hdfsraid.blockfixer.placement;
