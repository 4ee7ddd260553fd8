/** What the commands of the shell share: how they ask the daemon, and how they print its answer. */
package io.hdfsraid.raidshell.command;
