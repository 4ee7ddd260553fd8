/** Commands about files: their state, and how old and large they are. */
package io.hdfsraid.raidshell.files;
