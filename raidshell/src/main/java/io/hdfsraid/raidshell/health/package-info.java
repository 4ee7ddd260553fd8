/** The command that shows the health of raided files. */
package io.hdfsraid.raidshell.health;
