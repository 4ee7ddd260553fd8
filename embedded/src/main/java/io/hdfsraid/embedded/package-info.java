/**
 * A real HDFS for demonstrations, benchmarks and tests: {@link io.hdfsraid.embedded.EmbeddedHdfs}
 * in this process, {@link io.hdfsraid.embedded.ProcessHdfs} with every node in a process of its
 * own. Damage is done behind the back of HDFS: on the disk.
 */
package io.hdfsraid.embedded;
