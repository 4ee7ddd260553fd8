// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

/**
 * The time and bytes of one way to treat all source files.
 *
 * @param bytes that DataNodes read from replicas and received for replicas
 */
public record RunCost(double seconds, long bytes) {}
