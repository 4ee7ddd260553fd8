/** Parity files on HDFS: drafts, the commit by rename, quarantine. */
package io.hdfsraid.drfs.parity;
