/**
 * The operator's hands: one class per command, each asking the daemon over REST and showing the
 * answer as a table or, with {@code --json}, as it came.
 *
 * <p>To add a command: write the class, name it in {@link io.hdfsraid.raidshell.RaidShell}.
 * Commands that need no daemon come from other jars through {@link
 * io.hdfsraid.raidshell.ShellCommands}.
 */
package io.hdfsraid.raidshell;
