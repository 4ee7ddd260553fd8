// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.status;

/**
 * Bytes transferred between the daemon and DataNodes, or between two DataNodes, since the daemon
 * started.
 *
 * @param purpose {@code raiding}, {@code repair} or {@code moves}
 * @param direction {@code read}, {@code written} or {@code moved}
 * @param sameNode bytes that did not leave the machine
 * @param sameRack bytes that did not leave the rack
 * @param rackUnknown bytes to or from other machines while the rack of the daemon's machine is
 *     unknown
 */
public record TransferredBytes(
    String purpose,
    String direction,
    long sameNode,
    long sameRack,
    long offRack,
    long rackUnknown) {}
