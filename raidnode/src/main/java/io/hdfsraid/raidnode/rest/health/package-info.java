/** Answers the REST API about one feature. The health of raided files: files, stripes and units. */
package io.hdfsraid.raidnode.rest.health;
