/** Answers the REST API about one feature. Files, and how old and how large they are. */
package io.hdfsraid.raidnode.rest.files;
