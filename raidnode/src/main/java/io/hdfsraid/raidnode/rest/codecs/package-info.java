/** Answers the REST API about one feature. The codecs that policies may name. */
package io.hdfsraid.raidnode.rest.codecs;
