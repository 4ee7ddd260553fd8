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
 * Observer NameNodes answer reads, and may lag behind the active one: what they show may have been
 * so a while ago. A client is sent to them by its proxy provider. Whoever decides something by what
 * it reads either asks the active NameNode alone, or asks it by {@code msync} how far it is before
 * it believes an observer.
 */
public final class Observers {
  private final String key;
  private final Configuration conf;

  /** Of the nameservice at an address, as a configuration has it. */
  public Observers(URI hdfs, Configuration conf) {
    this.key = HdfsClientConfigKeys.Failover.PROXY_PROVIDER_KEY_PREFIX + "." + hdfs.getHost();
    this.conf = HAUtilClient.isLogicalUri(conf, hdfs) ? conf : new Configuration(false);
  }

  /** Whether reads go to observers where there are any. */
  public boolean areAsked() {
    return ObserverReadProxyProvider.class.isAssignableFrom(provider());
  }

  private Class<?> provider() {
    return conf.getClass(key, ConfiguredFailoverProxyProvider.class);
  }

  /** Has clients of this configuration ask the active NameNode alone; nothing else changes. */
  public void avoid(Configuration clients) {
    if (areAsked()) {
      boolean byAddress =
          ObserverReadProxyProviderWithIPFailover.class.isAssignableFrom(provider());
      clients.set(
          key,
          (byAddress ? IPFailoverProxyProvider.class : ConfiguredFailoverProxyProvider.class)
              .getName());
    }
  }
}
