// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.version;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The versions of the daemon and of what it runs on.
 *
 * @param version version of HDFS-RAID; {@code development} outside of a distribution
 * @param commit id of the commit that it was built from; empty if it was not built in a checkout
 * @param committedAt time of that commit
 * @param api version of the REST API, the last part of the beginning of each path
 * @param hadoop version of the Hadoop client that the daemon uses
 * @param java version of the Java runtime
 * @param formats version of each format that the daemon writes: {@code manifest} of parity on HDFS,
 *     {@code catalog} and {@code index} in its folder
 */
public record VersionReport(
    String version,
    Optional<String> commit,
    Optional<Instant> committedAt,
    String api,
    String hadoop,
    String java,
    Map<String, Integer> formats) {
  public VersionReport {
    version = Absent.toEmpty(version);
    commit = Absent.toEmpty(commit);
    committedAt = Absent.toEmpty(committedAt);
    api = Absent.toEmpty(api);
    hadoop = Absent.toEmpty(hadoop);
    java = Absent.toEmpty(java);
    formats = Absent.toEmpty(formats);
  }
}
