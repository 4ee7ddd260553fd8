// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import org.apache.hadoop.util.VersionInfo;

/** The version of the Hadoop client on the class path. */
public final class HadoopVersion {
  private HadoopVersion() {}

  /** Returns the version, such as 3.5.0. */
  public static String ofClient() {
    return VersionInfo.getVersion();
  }
}
