/** Finds out who sends a request, and lets nobody do more than their role allows. */
package io.hdfsraid.raidnode.rest.access;
