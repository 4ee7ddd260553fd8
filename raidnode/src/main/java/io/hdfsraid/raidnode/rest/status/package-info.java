/** Answers the REST API about one feature. The daemon at a glance. */
package io.hdfsraid.raidnode.rest.status;
