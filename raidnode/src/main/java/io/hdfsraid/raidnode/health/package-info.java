/** What must work for the daemon to work. */
package io.hdfsraid.raidnode.health;
