package io.hdfsraid.raidapi.version;

import io.hdfsraid.raidapi.Absent;

/**
 * The versions of the daemon and of what it runs on.
 *
 * @param version version of HDFS-RAID; {@code development} outside of a distribution
 * @param api version of the REST API, the last part of the beginning of each path
 * @param hadoop version of the Hadoop client that the daemon uses
 * @param java version of the Java runtime
 */
public record VersionReport(String version, String api, String hadoop, String java) {
  public VersionReport {
    version = Absent.toEmpty(version);
    api = Absent.toEmpty(api);
    hadoop = Absent.toEmpty(hadoop);
    java = Absent.toEmpty(java);
  }
}
