/** What the daemon counts, for Prometheus. */
package io.hdfsraid.raidnode.metrics;
