/** What is said when something on the local disk that is kept of HDFS cannot be used. */
package io.hdfsraid.raidnode.catalog.problem;
