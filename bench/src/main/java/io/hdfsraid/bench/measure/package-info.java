/**
 * Micro-benchmarks whose tasks take turns on one thread, so that a disturbance of the machine hits
 * all of them alike. {@link io.hdfsraid.bench.measure.InterleavedRun} measures a list of {@link
 * io.hdfsraid.bench.measure.InterleavedTasks}s.
 */
package io.hdfsraid.bench.measure;
