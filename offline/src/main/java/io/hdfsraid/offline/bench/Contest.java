package io.hdfsraid.offline.bench;

/**
 * What one way of treating all source files took.
 *
 * @param bytes that DataNodes read from replicas and received for replicas
 */
record Contest(double seconds, long bytes) {}
