/** Jobs of YARN that work on stripes, and what waits for them. */
package io.hdfsraid.raidnode.containers;
