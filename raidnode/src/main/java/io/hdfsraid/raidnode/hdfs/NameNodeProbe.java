package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.recency.hdfs.ImpatientClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks whether the active NameNode answers and can change anything. Gives up within a minute, or
 * within some minutes if two NameNodes hang.
 */
public final class NameNodeProbe implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeProbe.class);

  private final DistributedFileSystem fs;

  /** Opens connections of its own, which give up sooner than those of the jobs. */
  public NameNodeProbe(URI hdfs, Configuration conf) throws IOException {
    this.fs =
        (DistributedFileSystem) FileSystem.newInstance(hdfs, ImpatientClient.configuration(conf));
  }

  /** Returns the HDFS that the configuration files on the class path name. */
  public static URI configured() {
    return FileSystem.getDefaultUri(new HdfsConfiguration());
  }

  /**
   * Returns why nothing can be changed there now. Empty if all is well, and if the configuration is
   * wrong, for then waiting would not help.
   */
  public static Optional<String> configuredProblem() {
    Configuration conf = new HdfsConfiguration();
    URI uri = FileSystem.getDefaultUri(conf);
    if (new NameNodeAddress(uri, conf).problem().isPresent()) {
      return Optional.empty();
    }
    try (NameNodeProbe probe = new NameNodeProbe(uri, conf)) {
      return probe.problem();
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("No client of {} could be made", uri, e); // the attempt to connect says why
      return Optional.empty();
    }
  }

  /** Returns why nothing can be changed now; empty if the NameNode is well. */
  public Optional<String> problem() {
    try {
      // The active one is asked: a standby knows only its own safe mode.
      return fs.setSafeMode(SafeModeAction.GET, true)
          ? Optional.of("it is in safe mode")
          : Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName()));
    }
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
