/**
 * The sources of accesses: what they report, since when each of them has missed no access, and
 * whether their clocks can be believed.
 */
package io.hdfsraid.recency.source;
