/** The file system that reads lost blocks through their parity. */
package io.hdfsraid.drfs.fs;
