/** Scrubs: requests, and how far they have come. */
package io.hdfsraid.raidapi.scrub;
