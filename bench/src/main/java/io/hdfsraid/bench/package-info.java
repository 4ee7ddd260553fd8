/**
 * {@code bin/bench}: the benchmarks of a source checkout; they are not shipped. A benchmark yields
 * rows ({@link io.hdfsraid.bench.report.Row}) with the peer of each figure, its spread and the
 * machine ({@link io.hdfsraid.bench.report.BenchReport}).
 */
package io.hdfsraid.bench;
