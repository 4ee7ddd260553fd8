/** Computes what a large cluster would need, from measured constants. */
package io.hdfsraid.bench.scale;
