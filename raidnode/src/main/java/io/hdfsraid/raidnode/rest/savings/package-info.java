/** Answers the REST API about one feature. What raiding saves. */
package io.hdfsraid.raidnode.rest.savings;
