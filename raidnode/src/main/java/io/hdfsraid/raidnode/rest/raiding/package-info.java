/** Answers the REST API about one feature. Requests to raid and to unraid. */
package io.hdfsraid.raidnode.rest.raiding;
