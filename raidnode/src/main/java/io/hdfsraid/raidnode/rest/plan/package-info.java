/** Answers the REST API about one feature. What the policies will do. */
package io.hdfsraid.raidnode.rest.plan;
