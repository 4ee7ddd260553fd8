/**
 * {@code bin/raidshell bench …}: measurements that carry their peers, their noise and their machine
 * with them. {@link io.hdfsraid.offline.bench.Race} measures, {@link
 * io.hdfsraid.offline.bench.BenchReport} is what comes out; a bench is a list of {@link
 * io.hdfsraid.offline.bench.Heat}s and the rows made of their outcome.
 */
package io.hdfsraid.offline.bench;
