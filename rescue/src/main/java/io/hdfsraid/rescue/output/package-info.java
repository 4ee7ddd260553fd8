/** Output of the commands: progress bars, report files, one line per error. */
package io.hdfsraid.rescue.output;
