// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * The Hadoop configuration that the daemon finds on its class path, together with settings of its
 * own. Hadoop masks the values of {@code hadoop.security.sensitive-config-keys}.
 */
public final class ConfigurationDump {
  private static final String SOURCE = "raidnode.yml";
  private final Configuration configuration = new HdfsConfiguration();

  /**
   * Reads the Hadoop configuration.
   *
   * @param prefix what the keys of the settings begin with
   */
  public ConfigurationDump(String prefix, Map<String, String> settings) {
    settings.forEach((key, value) -> configuration.set(prefix + key, value, SOURCE));
  }

  public boolean knows(String key) {
    return configuration.get(key) != null;
  }

  /**
   * Writes one key, or all if it is null, as Hadoop writes its configuration files.
   *
   * @throws IllegalArgumentException if the key is not {@link #knows known}
   */
  public void xml(String key, Writer out) throws IOException {
    configuration.writeXml(key, out, configuration);
  }

  /** The same as {@link #xml}, in JSON. */
  public void json(String key, Writer out) throws IOException {
    Configuration.dumpConfiguration(configuration, key, out);
  }
}
