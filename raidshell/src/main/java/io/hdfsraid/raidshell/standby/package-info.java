/** Commands about the daemon that works on the cluster, and those that stand by. */
package io.hdfsraid.raidshell.standby;
