/** Answers the REST API about one feature. The versions of the daemon and of what it runs on. */
package io.hdfsraid.raidnode.rest.version;
