/** The view of what the daemon is doing that renews itself. */
package io.hdfsraid.raidshell.top;
