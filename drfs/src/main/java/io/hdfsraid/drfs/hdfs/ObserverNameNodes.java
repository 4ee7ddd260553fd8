// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.IPFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProviderWithIPFailover;

/**
 * The observer NameNodes of a nameservice, if clients are configured to use them. Observers answer
 * reads and may lag behind the active NameNode. A reader that bases a decision on an answer must
 * either bypass the observers or call {@code msync} before it reads.
 */
public final class ObserverNameNodes {
  private final String key;
  private final Configuration conf;

  /** Reads the configuration of the nameservice at an address. */
  public ObserverNameNodes(URI hdfs, Configuration conf) {
    this.key = HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + "." + hdfs.getHost();
    this.conf = HAUtilClient.isLogicalUri(conf, hdfs) ? conf : new Configuration(false);
  }

  /** Whether reads are configured to go to observers. */
  public boolean areConfigured() {
    return ObserverReadProxyProvider.class.isAssignableFrom(provider());
  }

  private Class<?> provider() {
    return conf.getClass(key, ConfiguredFailoverProxyProvider.class);
  }

  /** Changes the configuration so that its clients use the active NameNode only. */
  public void bypass(Configuration clients) {
    if (areConfigured()) {
      boolean byAddress =
          ObserverReadProxyProviderWithIPFailover.class.isAssignableFrom(provider());
      clients.set(
          key,
          (byAddress ? IPFailoverProxyProvider.class : ConfiguredFailoverProxyProvider.class)
              .getName());
    }
  }
}
