/** The command that shows and changes settings of the running daemon. */
package io.hdfsraid.raidshell.settings;
