// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The location of a reader in the cluster.
 *
 * @param addresses IP addresses of the reader's machine, in the form in which DataNodes register
 * @param rack network location of the reader's machine; empty if not known
 */
public record ReaderLocation(Set<String> addresses, Optional<String> rack) {
  public ReaderLocation {
    addresses = Set.copyOf(addresses);
    Objects.requireNonNull(rack, "rack");
  }

  /**
   * Returns the location of this machine.
   *
   * @param rack as configured by the administrator. If empty, the rack of the DataNode on this
   *     machine is used, if there is one. HDFS does not know the rack of a machine without a
   *     DataNode
   */
  public static ReaderLocation ofThisMachine(Optional<String> rack, Collection<DataNode> nodes) {
    ReaderLocation machine = new ReaderLocation(addressesOfThisMachine(), rack);
    return new ReaderLocation(
        machine.addresses(),
        rack.or(
            () ->
                nodes.stream()
                    .filter(node -> machine.addresses().contains(node.ip()))
                    .map(DataNode::rack)
                    .findFirst()));
  }

  private static Set<String> addressesOfThisMachine() {
    Set<String> addresses = new HashSet<>();
    try {
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .map(InetAddress::getHostAddress)
          // Strip the name of the interface, which only this machine knows.
          .map(address -> address.replaceFirst("%.*", ""))
          .forEach(addresses::add);
    } catch (SocketException e) {
      // No node counts as local then. That costs some network traffic and nothing else.
      return Set.of();
    }
    return addresses;
  }

  public Distance distanceTo(DataNode node) {
    if (addresses.contains(node.ip())) {
      return Distance.SAME_NODE;
    }
    if (rack.isEmpty()) {
      return Distance.RACK_UNKNOWN;
    }
    return rack.get().equals(node.rack()) ? Distance.SAME_RACK : Distance.OFF_RACK;
  }
}
