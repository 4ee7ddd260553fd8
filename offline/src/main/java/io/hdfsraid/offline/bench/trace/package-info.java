/**
 * How good an order by last use is: a synthetic month of reads, and what several orders, and one
 * that knows the future, make of it when the coldest files are raided for want of room.
 */
package io.hdfsraid.offline.bench.trace;
