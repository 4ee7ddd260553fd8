// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

import io.hdfsraid.drfs.stripe.EncodingTimes;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The time of the workers by activity, in nanoseconds.
 *
 * @param total from taking up a file to its reduction, all files together
 * @param nameNode in calls to the NameNode
 */
public record TimeSplit(long total, EncodingTimes encoding, long nameNode) {
  static final String CODE = "code";

  static final TimeSplit NONE = new TimeSplit(0, new EncodingTimes(0, 0, 0, 0), 0);

  TimeSplit plus(TimeSplit other) {
    return new TimeSplit(
        total + other.total, encoding.plus(other.encoding), nameNode + other.nameNode);
  }

  /** In per cent of the total, by name; together 100. */
  Map<String, Double> shares() {
    Map<String, Long> nanos = new LinkedHashMap<>();
    nanos.put("read", encoding.read());
    nanos.put(CODE, encoding.code());
    nanos.put("CRC", encoding.crc());
    nanos.put("write", encoding.write());
    nanos.put("NameNode", nameNode);
    long accounted = nanos.values().stream().mapToLong(Long::longValue).sum();
    nanos.put("wait", Math.max(0, total - accounted));
    Map<String, Double> shares = new LinkedHashMap<>();
    nanos.forEach((name, part) -> shares.put(name, 100.0 * part / Math.max(1, total)));
    return shares;
  }
}
