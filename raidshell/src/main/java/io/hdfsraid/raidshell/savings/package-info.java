/** The command that shows what raiding saves. */
package io.hdfsraid.raidshell.savings;
