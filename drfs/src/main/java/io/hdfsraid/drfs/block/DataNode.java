// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.block;

import java.util.Objects;

/**
 * A DataNode. Two DataNodes are equal if their uuids are equal, so a node that returns on another
 * port is the same node.
 *
 * @param uuid the NameNode's name for it
 * @param address {@code ip:port} of its data transfer
 * @param host host name
 * @param rack network location, e.g. {@code /rack3}
 */
public record DataNode(String uuid, String address, String host, String rack) {
  public DataNode {
    Objects.requireNonNull(uuid, "uuid");
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(rack, "rack");
  }

  /** Returns the IP address without its port; IPv6 addresses have no brackets. */
  public String ip() {
    String withoutPort = address.substring(0, address.lastIndexOf(':'));
    return withoutPort.startsWith("[")
        ? withoutPort.substring(1, withoutPort.length() - 1)
        : withoutPort;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DataNode that && uuid.equals(that.uuid);
  }

  @Override
  public int hashCode() {
    return uuid.hashCode();
  }

  @Override
  public String toString() {
    return rack + "/" + host + "(" + address + ")";
  }
}
