/** Answers the REST API about one feature. The DataNodes of the cluster. */
package io.hdfsraid.raidnode.rest.nodes;
