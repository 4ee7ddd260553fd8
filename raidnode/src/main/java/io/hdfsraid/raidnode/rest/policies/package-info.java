/**
 * Answers the REST API about one feature. The policies in force, their validation, and what they
 * say about a file.
 */
package io.hdfsraid.raidnode.rest.policies;
