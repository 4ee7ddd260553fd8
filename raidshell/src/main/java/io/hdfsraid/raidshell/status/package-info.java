/** The command that shows the daemon at a glance. */
package io.hdfsraid.raidshell.status;
