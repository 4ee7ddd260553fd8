/** Answers the REST API about one feature. The description of the API itself. */
package io.hdfsraid.raidnode.rest.openapi;
