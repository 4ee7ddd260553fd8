/** Shows on a terminal how far something has come. */
package io.hdfsraid.raidshell.output;
