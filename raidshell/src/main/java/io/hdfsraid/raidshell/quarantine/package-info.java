/** Commands about parity in quarantine. */
package io.hdfsraid.raidshell.quarantine;
