/** Commands about the repair queue. */
package io.hdfsraid.raidshell.repairs;
