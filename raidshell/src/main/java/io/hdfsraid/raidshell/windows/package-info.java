/** Commands about the times when policies may act. */
package io.hdfsraid.raidshell.windows;
