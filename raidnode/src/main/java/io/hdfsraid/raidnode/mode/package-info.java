/** The operating mode and the hours in which policies may act. */
package io.hdfsraid.raidnode.mode;
