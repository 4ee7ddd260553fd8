/** What all sources of accesses have in common: whom they tell, and how they stand. */
package io.hdfsraid.raidnode.recency.source;
