/** The daemon as a process of the operating system: its pid file, and how it is asked and ended. */
package io.hdfsraid.raidnode.process;
