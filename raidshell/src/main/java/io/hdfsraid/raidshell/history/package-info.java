/** The command that lists what was done. */
package io.hdfsraid.raidshell.history;
