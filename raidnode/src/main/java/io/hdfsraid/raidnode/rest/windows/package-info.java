/** Answers the REST API about one feature. When policies may act. */
package io.hdfsraid.raidnode.rest.windows;
