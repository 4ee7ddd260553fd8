/** Answers the REST API about one feature. What was done, by whom and when. */
package io.hdfsraid.raidnode.rest.history;
