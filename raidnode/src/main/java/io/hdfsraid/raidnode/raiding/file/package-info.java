/** Raids a single file, audits it, keeps its state in line with HDFS, and releases it. */
package io.hdfsraid.raidnode.raiding.file;
