/** Counts how often raided files are read, and how many of these reads cross the network. */
package io.hdfsraid.raidnode.reheat;
