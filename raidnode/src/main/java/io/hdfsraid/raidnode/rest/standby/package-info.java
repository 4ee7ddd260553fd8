/** Answers for the daemon that works on the cluster, and those that stand by or wait. */
package io.hdfsraid.raidnode.rest.standby;
