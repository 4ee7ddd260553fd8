/** How units and bytes are spread over DataNodes. */
package io.hdfsraid.raidapi.placement;
