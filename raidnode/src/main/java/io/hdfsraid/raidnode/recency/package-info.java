/**
 * What tells when files are used and how the namespace changes, each followed from where it was
 * left, and watched: since when it misses nothing, how far it is behind, and what is wrong with it.
 */
package io.hdfsraid.raidnode.recency;
