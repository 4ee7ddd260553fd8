package io.hdfsraid.raidapi;

/**
 * Bytes that went between the daemon and DataNodes, or between two of these, since it started.
 *
 * @param purpose {@code raiding}, {@code repair} or {@code moves}
 * @param direction {@code read}, {@code written} or {@code moved}
 * @param sameNode bytes that did not leave the machine
 * @param sameRack bytes that did not leave the rack
 * @param rackUnknown bytes of other machines while the rack of the daemon's is not known
 */
public record TransferView(
    String purpose,
    String direction,
    long sameNode,
    long sameRack,
    long offRack,
    long rackUnknown) {}
