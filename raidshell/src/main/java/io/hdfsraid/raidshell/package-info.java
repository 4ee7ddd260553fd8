/**
 * The operator's command line. Each command is one class in the package of its feature: it asks the
 * daemon over REST and shows the answer as a table or, with {@code --json}, as it came.
 *
 * <p>To add a command, write the class and name it in {@link io.hdfsraid.raidshell.RaidShell}.
 * Commands that need no daemon come from other jars, through {@link
 * io.hdfsraid.raidshell.command.ShellCommands}.
 */
package io.hdfsraid.raidshell;
