package io.hdfsraid.offline.rescue;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.rounds.RoundSettings;
import io.hdfsraid.raidshell.ExitCode;
import io.hdfsraid.raidshell.ShellException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * Which HDFS, and how the RaidNode would work on it.
 *
 * @param hadoop with the cluster's {@code core-site.xml} and {@code hdfs-site.xml}
 * @param conf folder of {@code raidnode.yml} and {@code policies.yml}; what it does not have is as
 *     it is by default
 */
public record Installation(Supplier<Configuration> hadoop, Path conf) {
  /** Where the launcher says the configuration is. */
  private static final String CONF = "hdfsraid.conf";

  /** The one of {@code HADOOP_CONF_DIR} and of the folder {@code conf} beside {@code bin}. */
  public static Installation ofThisMachine() {
    return new Installation(HdfsConfiguration::new, Path.of(System.getProperty(CONF, "conf")));
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

  /** How often the NameNode may be asked, as the RaidNode may. */
  long nameNodeCallsPerSecond() {
    return settings()
        .map(found -> found.node().tuning())
        .orElseGet(() -> RoundSettings.defaults().tuning())
        .nameNodeCallsPerSecond();
  }

  /** Where the parity is. */
  String root() {
    return settings().map(found -> found.node().hdfs().root()).orElse(ParitySettings.DEFAULT_ROOT);
  }
}
