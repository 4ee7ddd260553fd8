/**
 * The commands of {@code bin/raidshell} that need no daemon. The shell finds them at run time
 * through {@link io.hdfsraid.rescue.RescueCommands}.
 */
package io.hdfsraid.rescue;
