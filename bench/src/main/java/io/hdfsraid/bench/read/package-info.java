/** The benchmark of reads: healthy files, and files that have lost blocks. */
package io.hdfsraid.bench.read;
