/** Raids small files together, under parity that they share. */
package io.hdfsraid.raidnode.raiding.group;
