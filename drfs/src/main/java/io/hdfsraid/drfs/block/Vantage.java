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
 * Where a reader stands in the cluster.
 *
 * @param addresses IP addresses of its machine, as DataNodes would register with them
 * @param rack network location of its machine; empty when nobody has told
 */
public record Vantage(Set<String> addresses, Optional<String> rack) {
  public Vantage {
    addresses = Set.copyOf(addresses);
    Objects.requireNonNull(rack, "rack");
  }

  /**
   * This machine.
   *
   * @param rack as the administrator says; empty: that of the DataNode on this machine, if there is
   *     one. Nothing else of HDFS tells the rack of a machine that is no DataNode
   */
  public static Vantage here(Optional<String> rack, Collection<DataNode> nodes) {
    Vantage machine = new Vantage(addressesOfThisMachine(), rack);
    return new Vantage(
        machine.addresses(),
        rack.or(
            () ->
                nodes.stream()
                    .filter(node -> machine.addresses().contains(ip(node)))
                    .map(DataNode::rack)
                    .findFirst()));
  }

  private static Set<String> addressesOfThisMachine() {
    Set<String> addresses = new HashSet<>();
    try {
      NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .map(InetAddress::getHostAddress)
          // Without the name of the interface, which only this machine knows.
          .map(address -> address.replaceFirst("%.*", ""))
          .forEach(addresses::add);
    } catch (SocketException e) {
      // Then no node counts as this one, which costs some network and nothing else.
      return Set.of();
    }
    return addresses;
  }

  private static String ip(DataNode node) {
    String address = node.address();
    return address.substring(0, address.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
  }

  public Distance to(DataNode node) {
    if (addresses.contains(ip(node))) {
      return Distance.SAME_NODE;
    }
    if (rack.isEmpty()) {
      return Distance.RACK_UNKNOWN;
    }
    return rack.get().equals(node.rack()) ? Distance.SAME_RACK : Distance.OFF_RACK;
  }
}
