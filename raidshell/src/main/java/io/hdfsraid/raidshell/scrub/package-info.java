/** The command that scrubs files. */
package io.hdfsraid.raidshell.scrub;
