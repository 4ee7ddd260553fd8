/** Answers the REST API about one feature. The tasks that carry out accepted requests. */
package io.hdfsraid.raidnode.rest.tasks;
