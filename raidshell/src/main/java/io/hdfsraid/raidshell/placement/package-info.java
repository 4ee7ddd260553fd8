/** The command that shows where units lie. */
package io.hdfsraid.raidshell.placement;
