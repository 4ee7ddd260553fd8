/** What an administrator can say to the daemon, read once and complete before anything starts. */
package io.hdfsraid.raidnode.config;
