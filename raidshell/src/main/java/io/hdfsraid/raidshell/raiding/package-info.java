/** Commands that raid and unraid files. */
package io.hdfsraid.raidshell.raiding;
