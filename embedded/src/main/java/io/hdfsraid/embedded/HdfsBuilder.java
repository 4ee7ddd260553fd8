// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * The options that both kinds of cluster have. Defaults: 3 DataNodes on one rack, blocks of 1 MiB,
 * heartbeats and replication checks each second.
 *
 * @param <B> the builder itself
 */
public abstract sealed class HdfsBuilder<B extends HdfsBuilder<B>>
    permits EmbeddedHdfs.Builder, ProcessHdfs.Builder {
  int dataNodes = 3;
  int racks = 1;
  long blockSize = 1 << 20;
  Path directory;
  private boolean blockTokens;
  private Duration staleAfter;
  private Duration deadAfter;
  private final Map<String, String> settings = new LinkedHashMap<>();

  HdfsBuilder() {}

  abstract B self();

  public final B dataNodes(int count) {
    dataNodes = count;
    return self();
  }

  /** Sets the number of racks; DataNode i is on {@code /rack(i mod count)}. */
  public final B racks(int count) {
    racks = count;
    return self();
  }

  public final B blockSize(long bytes) {
    blockSize = bytes;
    return self();
  }

  /** Turns block access tokens on; the default is off. */
  public final B withBlockTokens() {
    blockTokens = true;
    return self();
  }

  /** Sets the silence after which a DataNode is stale; the default is that of HDFS, 30 s. */
  public final B staleAfter(Duration silence) {
    staleAfter = silence;
    return self();
  }

  /**
   * Sets the silence after which a DataNode is dead: more than 10 heartbeats; the default is 10
   * minutes and 10 heartbeats. {@link EmbeddedHdfs#declareDead} needs no waiting.
   */
  public final B deadAfter(Duration silence) {
    deadAfter = silence;
    return self();
  }

  /**
   * Sets an empty or new directory, which stays after {@code close}. The default is a temporary
   * directory, which is removed.
   */
  public final B directory(Path given) {
    directory = given;
    return self();
  }

  /**
   * Sets any key of {@code core-site.xml} or {@code hdfs-site.xml}. It overrides all other options.
   */
  public final B set(String key, String value) {
    settings.put(key, value);
    return self();
  }

  /** Writes these options, and the settings of all our clusters, into a configuration. */
  void configure(Configuration conf, Duration heartbeat) {
    ClusterSettings.apply(conf, blockSize, blockTokens);
    conf.setLong("dfs.heartbeat.interval", heartbeat.toSeconds());
    if (staleAfter != null) {
      ClusterSettings.staleAfter(conf, staleAfter);
    }
    if (deadAfter != null) {
      ClusterSettings.deadAfter(conf, deadAfter, heartbeat);
    }
  }

  /** Writes the keys of {@link #set}; to be called last. */
  void override(Configuration conf) {
    settings.forEach(conf::set);
  }
}
