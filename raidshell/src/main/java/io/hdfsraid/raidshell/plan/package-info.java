/** The command that shows what the policies will do. */
package io.hdfsraid.raidshell.plan;
