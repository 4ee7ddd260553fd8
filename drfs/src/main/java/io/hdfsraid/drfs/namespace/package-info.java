/** The NameNode's view of files and nodes, without Hadoop types. */
package io.hdfsraid.drfs.namespace;
