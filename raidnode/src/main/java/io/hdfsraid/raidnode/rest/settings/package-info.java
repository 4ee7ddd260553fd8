/** Answers the REST API about one feature. Settings that can be changed while the daemon runs. */
package io.hdfsraid.raidnode.rest.settings;
