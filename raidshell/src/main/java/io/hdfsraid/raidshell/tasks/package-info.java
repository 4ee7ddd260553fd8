/** Commands that list, show and cancel tasks. */
package io.hdfsraid.raidshell.tasks;
