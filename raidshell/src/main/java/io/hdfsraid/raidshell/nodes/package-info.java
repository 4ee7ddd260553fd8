/** The command that lists the DataNodes. */
package io.hdfsraid.raidshell.nodes;
