/** A Java client of the REST API. */
package io.hdfsraid.raidapi.client;
