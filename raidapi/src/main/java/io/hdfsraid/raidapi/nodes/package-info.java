/** The DataNodes of the cluster. */
package io.hdfsraid.raidapi.nodes;
