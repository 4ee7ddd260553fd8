package io.hdfsraid.offline.bench.trace;

/**
 * What a contestant made of a trace.
 *
 * @param percent of all bytes that were in files with all their replicas
 * @param byAll all reads
 * @param byUsers without those of the nightly job
 */
public record Standing(String contestant, int percent, Tally byAll, Tally byUsers) {}
