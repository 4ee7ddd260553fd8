// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import org.apache.hadoop.conf.Configuration;

/**
 * A configuration for clients that give up within a minute if no NameNode answers. A daemon at work
 * waits much longer.
 */
public final class ImpatientClient {
  private ImpatientClient() {}

  /** Returns a copy of the configuration with short timeouts and few retries. */
  public static Configuration configuration(Configuration conf) {
    Configuration impatient = new Configuration(conf);
    impatient.setInt("ipc.client.connect.max.retries", 2);
    impatient.setInt("ipc.client.connect.max.retries.on.timeouts", 1);
    impatient.setInt("ipc.client.connect.timeout", 10_000);
    impatient.setInt("ipc.client.rpc-timeout.ms", 30_000);
    impatient.setInt("dfs.client.failover.max.attempts", 4);
    impatient.setInt("dfs.client.failover.sleep.max.millis", 1_000);
    return impatient;
  }
}
