/**
 * When files were last used, and how often: the sources that tell, and how far they are taken in.
 */
package io.hdfsraid.raidnode.recency;
