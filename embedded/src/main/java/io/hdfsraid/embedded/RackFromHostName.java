// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;

/**
 * Maps the host name {@code dn7.rack2.embedded} to {@code /rack2}. All DataNodes share one IP
 * address, so only the host name that they register with tells them apart. The NameNode passes host
 * names only to a mapping that is <em>not</em> a {@code CachedDNSToSwitchMapping}.
 */
public final class RackFromHostName implements DNSToSwitchMapping {
  private static final Pattern HOST = Pattern.compile("dn\\d+\\.(rack\\d+)\\.embedded");

  static String hostName(int index, int racks) {
    return "dn%d.rack%d.embedded".formatted(index, index % racks);
  }

  static String rackOf(String hostName) {
    Matcher matcher = HOST.matcher(hostName);
    return matcher.matches() ? "/" + matcher.group(1) : NetworkTopology.DEFAULT_RACK;
  }

  @Override
  public List<String> resolve(List<String> names) {
    return names.stream().map(RackFromHostName::rackOf).toList();
  }

  @Override
  public void reloadCachedMappings() {}

  @Override
  public void reloadCachedMappings(List<String> names) {}
}
