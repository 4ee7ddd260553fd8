// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.Nameservices;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.ShellException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * The HDFS to work on, and the configuration of its RaidNode.
 *
 * @param hadoop with the cluster's {@code core-site.xml} and {@code hdfs-site.xml}
 * @param conf folder of {@code raidnode.yml} and {@code policies.yml}; a missing file has its
 *     default
 */
public record Installation(Supplier<Configuration> hadoop, Path conf) {
  /** The system property with the configuration folder, set by the launcher. */
  private static final String CONF = "hdfsraid.conf";

  /** The one of {@code HADOOP_CONF_DIR} and of the folder {@code conf} beside {@code bin}. */
  public static Installation ofThisMachine() {
    return new Installation(HdfsConfiguration::new, Path.of(System.getProperty(CONF, "conf")));
  }

  /** The same configuration for another HDFS than that of {@code fs.defaultFS}. */
  Installation at(URI cluster) {
    return new Installation(
        () -> {
          Configuration named = new Configuration(hadoop.get());
          Nameservices.use(named, cluster.getAuthority());
          return named;
        },
        conf);
  }

  /**
   * Empty where there are no such files.
   *
   * @throws ShellException when they are wrong
   */
  Optional<Settings> settings() {
    Path file = conf.resolve("raidnode.yml");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(SettingsFiles.read(file, Clock.system(ZoneId.systemDefault())));
    } catch (SettingsException e) {
      throw new ShellException(
          ExitCode.USAGE,
          e.getMessage(),
          "It is the configuration of the RaidNode, see bin/raidnode.");
    }
  }

  /** Returns the limit on calls to the NameNode, the same as for the RaidNode. */
  long nameNodeCallsPerSecond() {
    return settings()
        .map(found -> found.node().tuning())
        .orElseGet(() -> JobSettings.defaults().tuning())
        .nameNodeCallsPerSecond();
  }

  /** Returns the directory of the parity. */
  String root() {
    return settings().map(found -> found.node().hdfs().root()).orElse(ParitySettings.DEFAULT_ROOT);
  }
}
