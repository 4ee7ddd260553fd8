/** Answers the REST API about one feature. Scrubs: requests, and how far they have come. */
package io.hdfsraid.raidnode.rest.scrub;
