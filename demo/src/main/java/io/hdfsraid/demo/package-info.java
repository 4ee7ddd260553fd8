/**
 * {@code bin/raidnode demo}: loads files into an HDFS in this process, raids and damages them,
 * reads them while they are damaged, repairs them, and proves that nothing was lost. Everything
 * that works on HDFS here is the product itself. {@link io.hdfsraid.demo.Demo} is the script.
 */
package io.hdfsraid.demo;
