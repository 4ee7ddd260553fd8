/** Answers the REST API about one feature. Retired parity that is kept for a while. */
package io.hdfsraid.raidnode.rest.quarantine;
