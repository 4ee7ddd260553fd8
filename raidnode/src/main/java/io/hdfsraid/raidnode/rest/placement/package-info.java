/** Answers the REST API about one feature. How units and bytes are spread over DataNodes. */
package io.hdfsraid.raidnode.rest.placement;
