// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

/**
 * The result of a candidate on a trace.
 *
 * @param percent of all bytes that were in files with all their replicas
 * @param byAll all reads
 * @param byUsers without those of the nightly job
 */
public record RankingResult(String candidate, int percent, Tally byAll, Tally byUsers) {}
