/**
 * Commands that need no daemon: {@code bin/raidnode demo}, and those of {@code bin/raidshell} that
 * are found here at run time ({@link io.hdfsraid.offline.OfflineCommands}).
 */
package io.hdfsraid.offline;
