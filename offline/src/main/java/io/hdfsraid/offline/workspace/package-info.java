/** Where commands of this module that have an HDFS of their own keep it. */
package io.hdfsraid.offline.workspace;
