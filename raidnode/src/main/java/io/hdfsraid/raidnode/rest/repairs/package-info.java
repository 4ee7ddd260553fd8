/**
 * Answers the REST API about one feature. The repair queue, requests for repairs, and repair
 * storms.
 */
package io.hdfsraid.raidnode.rest.repairs;
