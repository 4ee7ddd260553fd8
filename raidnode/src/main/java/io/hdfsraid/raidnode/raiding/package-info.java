/** Takes files under parity and releases them, one file or one group of files at a time. */
package io.hdfsraid.raidnode.raiding;
