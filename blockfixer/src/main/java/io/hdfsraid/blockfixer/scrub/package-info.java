/**
 * Reads stripes in full, without being asked to, and names the replicas that are not what was
 * recorded.
 */
package io.hdfsraid.blockfixer.scrub;
