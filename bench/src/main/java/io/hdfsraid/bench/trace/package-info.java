/**
 * How well an order by last access predicts: a synthetic month of reads, and the misses of several
 * orders, and of one that knows the future, when the coldest files are raided for lack of space.
 */
package io.hdfsraid.bench.trace;
