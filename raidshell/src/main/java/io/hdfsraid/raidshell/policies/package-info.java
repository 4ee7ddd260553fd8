/** Commands about the policies in force. */
package io.hdfsraid.raidshell.policies;
