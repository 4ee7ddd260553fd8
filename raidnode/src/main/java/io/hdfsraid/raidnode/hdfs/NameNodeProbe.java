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

/**
 * Asks whether the active NameNode answers and can change anything. Gives up within a minute, or
 * within some minutes if two NameNodes hang.
 */
public final class NameNodeProbe implements Closeable {
  private final DistributedFileSystem fs;

  /** Opens connections of its own, which give up sooner than those of the jobs. */
  public NameNodeProbe(URI hdfs, Configuration conf) throws IOException {
    this.fs =
        (DistributedFileSystem) FileSystem.newInstance(hdfs, ImpatientClient.configuration(conf));
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
